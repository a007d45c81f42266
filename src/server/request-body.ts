import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { JsonValue } from '../protocol/canonical-json.ts';
import { TracingError } from '../protocol/error.ts';
import { parseJson, parsePlainJson } from '../protocol/json.ts';
import type { Limits } from '../protocol/limits.ts';
import { type BodyShape, cutBelow, measureBody } from './body-depth.ts';

/** A parsed body, with what is needed to tell quickly that no field of it can exceed a limit. */
export interface RequestBody {
  readonly value: JsonValue;
  readonly depth: number;
}

/** Types read as JSON besides `application/json`: what plain tools send when they are not told otherwise. */
const READABLE_TYPE =
  /^(?:$|application\/(?:json|[\w.-]+\+json|octet-stream|x-www-form-urlencoded)$|text\/(?:json|plain)$)/;

/** Reads the body of a request as JSON, whatever harmless content type it claims. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number, limits: Limits): Promise<RequestBody> {
  checkContentType(request.headers['content-type'] ?? '');
  const body = await readBytes(request, maxBytes);
  if (!isUtf8(body)) throw new TracingError('invalid_json', 'Cannot read the body: it is not UTF-8');
  const shape = measureBody(body);
  const { depth } = shape;
  if (depth > limits.body_depth) {
    throw new TracingError('payload_too_large', `Cannot read the body: more than ${limits.body_depth} levels`);
  }
  return { value: parseBounded(body, shape, limits.json_depth + ENVELOPE_LEVELS), depth };
}

/** More levels than any request has around the values of a user. */
const ENVELOPE_LEVELS = 16;

/** Nothing below `levels` can be part of a value within limits; it only has to be JSON. */
function parseBounded(body: Buffer, { depth, isPlain }: BodyShape, levels: number): JsonValue {
  if (depth <= levels) return isPlain ? parsePlainJson(body.toString('utf8')) : parseJson(body.toString('utf8'));
  checkJson(body.toString('utf8'));
  return parseJson(cutBelow(body, levels).toString('utf8'));
}

/** The native parser takes any depth. */
function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new TracingError('invalid_json', 'Cannot read the body: it is not JSON', { cause: error });
  }
}

function checkContentType(header: string): void {
  const type = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (READABLE_TYPE.test(type)) return;
  throw new TracingError('unsupported_media_type', `Cannot read a body of type "${type}": send application/json`);
}

/** The decoded bytes. Beyond the limit the rest is read and thrown away, so that the client sees the answer. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new TracingError('payload_too_large', `Cannot read the body: more than ${maxBytes} bytes`);
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' && Number(request.headers['content-length']) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  const decoder = await openDecoder(encoding);
  const source: Readable = decoder ? request.pipe(decoder) : request;
  if (decoder) request.once('error', (error) => decoder.destroy(error));
  return await new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      source.removeAllListeners('data');
      if (decoder) request.unpipe(decoder);
      decoder?.destroy();
      request.resume();
      reject(error);
    };
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) fail(tooLarge());
    });
    source.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    source.on('error', (error) => fail(unreadable(encoding, error)));
    request.once('close', () => {
      if (!request.complete) fail(new TracingError('invalid_request', 'Cannot read the body: the client broke off'));
    });
  });
}

async function openDecoder(encoding: string) {
  if (encoding === 'identity' || encoding === '') return undefined;
  const zlib = await import('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip();
  if (encoding === 'deflate') return zlib.createInflate();
  throw new TracingError('unsupported_media_type', `Cannot read a body encoded as "${encoding}": gzip and deflate are`);
}

function unreadable(encoding: string, cause: Error): TracingError {
  return new TracingError('invalid_request', `Cannot read the body: it is not ${encoding} data`, { cause });
}

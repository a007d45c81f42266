import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { TracingError } from '../../../protocol/error.ts';
import { parseJson, parsePlainJson } from '../../../protocol/values/json.ts';
import type { Limits } from '../../../protocol/limits.ts';
import { noteBodyBytes } from './body-budget.ts';
import { cutBelow } from './body-depth.ts';
import { BodySurvey, type BodyShape, type SurveyRules } from './body-survey.ts';
import { isUtf8InTurns, joinInTurns } from './bytes-in-turns.ts';
import type { ListRule } from './list-limits.ts';
import { parseWide, WIDE_MEMBERS } from './wide-objects.ts';
import { Turns } from '../turns.ts';

/** The bytes of a JSON body, which are to be parsed. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly shape: BodyShape;
}

/** Types read as JSON besides `application/json`: what plain tools send when they are not told otherwise. */
const READABLE_TYPE =
  /^(?:$|application\/(?:json|[\w.-]+\+json|octet-stream|x-www-form-urlencoded)$|text\/(?:json|plain)$)/;

/**
 * Reads the body of a request that is JSON, whatever harmless content type it claims, and looks through it: what is too
 * deep, has a list that is too long or would take too much memory is refused before it is parsed.
 */
export async function receiveJson(
  request: IncomingMessage,
  maxBytes: number,
  limits: Limits,
  lists?: ListRule,
): Promise<ReceivedBody> {
  checkContentType(request.headers['content-type'] ?? '');
  const bytes = await readBytes(request, maxBytes);
  if (!(await isUtf8InTurns(bytes))) throw new TracingError('invalid_json', 'Cannot read the body: it is not UTF-8');
  const shape = await surveyInTurns(bytes, { maxDepth: limits.body_depth, lists });
  checkMemory(bytes, shape, limits);
  return { bytes, shape };
}

/** Pieces of so many bytes take a few milliseconds. */
const PIECE_BYTES = 256 * 1024;

/** Others have their turns while a large text is looked through. */
async function surveyInTurns(bytes: Buffer, rules: SurveyRules): Promise<BodyShape> {
  const survey = new BodySurvey(bytes, rules);
  const turns = new Turns();
  while (!survey.isDone) {
    survey.advance(PIECE_BYTES);
    if (turns.isOver) await turns.next();
  }
  return survey.shape;
}

/** With the text itself, and what is read of it, no more than ten times its size. */
const MEMORY_GROWTH = 7;

/** Bytes of memory that the values of a body of this length may take, by the estimate. */
export function memoryAllowance(length: number, { body_memory_bytes: always }: Limits): number {
  return Math.max(always, MEMORY_GROWTH * length);
}

/** Millions of empty objects are few bytes to send, and twenty times as many to keep. */
function checkMemory({ length }: Buffer, { memoryBytes }: BodyShape, limits: Limits): void {
  if (memoryBytes <= memoryAllowance(length, limits)) return;
  throw new TracingError(
    'payload_too_large',
    'Cannot read the body: its values take too much memory, send it in parts',
  );
}

/** The value of a body. */
export function parseBody({ bytes, shape }: ReceivedBody, limits: Limits): JsonValue {
  return parseBounded(bytes, shape, limits.json_depth + ENVELOPE_LEVELS);
}

/** More levels than any request has around the values of a user. */
const ENVELOPE_LEVELS = 16;

/** Nothing below `levels` can be part of a value within limits; it only has to be JSON. */
function parseBounded(body: Buffer, { depth, isPlain, wideKeys }: BodyShape, levels: number): JsonValue {
  if (depth <= levels) {
    const parse = isPlain ? parsePlainJson : parseJson;
    return wideKeys >= WIDE_MEMBERS ? parseWide(body, parse) : parse(body.toString('utf8'));
  }
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
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' && Number(request.headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
  const { chunks, size } = await readChunks(request, encoding, maxBytes);
  return await joinInTurns(chunks, size);
}

function tooLarge(maxBytes: number): TracingError {
  return new TracingError('payload_too_large', `Cannot read the body: more than ${maxBytes} bytes`);
}

interface Chunks {
  readonly chunks: Buffer[];
  readonly size: number;
}

async function readChunks(request: IncomingMessage, encoding: string, maxBytes: number): Promise<Chunks> {
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
      try {
        if (size > maxBytes) throw tooLarge(maxBytes);
        noteBodyBytes(request, chunk.length);
      } catch (error) {
        fail(error as TracingError);
      }
    });
    source.once('end', () => resolve({ chunks, size }));
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

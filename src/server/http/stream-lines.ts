import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { translateError } from '../spelling/translate-error.ts';
import { toErrorResponse } from './error-response.ts';
import { acceptedTypes, acceptsGzip, varyByEncoding } from './respond.ts';

export interface StreamOptions {
  /** Ends the stream: with nothing more when the client is gone, else as a broken one with its reason. */
  readonly signal: AbortSignal;
  /** Called with an error that came too late for a status line. */
  readonly onBroken: (error: unknown) => void;
}

/** Packed bytes are pushed out at least this often, in milliseconds. */
const FLUSH_MS = 500;

/** How long a broken stream waits for a reader that does not read, in milliseconds. */
const LINGER_MS = 5000;

/**
 * Sends chunks of lines as JSON Lines. The first chunk is awaited before the status line, so that errors until then
 * are ordinary answers. A later one writes a last line that says so and breaks the connection. A reader that stops
 * reading stops the source.
 */
export async function streamLines(
  request: FastifyRequest,
  reply: FastifyReply,
  chunks: AsyncIterable<readonly string[]>,
  { signal, onBroken }: StreamOptions,
): Promise<void> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    let step = await unlessAborted(source.next(), signal);
    const output = await openOutput(request, reply);
    try {
      while (step.done !== true) {
        await output.write(step.value.map((line) => `${line}\n`).join(''), signal);
        step = await unlessAborted(source.next(), signal);
      }
      output.end();
    } catch (error) {
      breakOff(reply, output, signal.aborted ? signal.reason : error, onBroken);
    }
  } finally {
    // Nobody waits for it: a source that is in the middle of a read ends when its storage answers.
    void source.return?.().catch(onBroken);
  }
}

function breakOff(reply: FastifyReply, output: LineOutput, error: unknown, onBroken: (error: unknown) => void): void {
  if (reply.raw.destroyed) {
    output.abandon();
    return;
  }
  onBroken(error);
  output.break(brokenLine(error, reply.request));
}

function brokenLine(error: unknown, { id, dialect }: FastifyRequest): string {
  const { status, body } = translateError(toErrorResponse(error, id), dialect);
  return `${JSON.stringify({ _svc_error: { reason: body.reason, error_code: body.error_code, status } })}\n`;
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const aborted = once(signal, 'abort', { signal: stop.signal }).then(() => {
    throw signal.reason;
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // The race leaves this promise behind; its rejection says nothing then.
    aborted.catch(() => undefined);
    stop.abort();
  }
}

interface LineOutput {
  /** Resolves when the reader has taken enough of what was written before. */
  write(text: string, signal: AbortSignal): Promise<void>;
  end(): void;
  /** Writes a last line and closes the connection without the end mark of the body. */
  break(lastLine: string): void;
  /** Lets go of everything: the client left, maybe before there was anything to close. */
  abandon(): void;
}

async function openOutput(request: FastifyRequest, reply: FastifyReply): Promise<LineOutput> {
  const isNdjson = acceptedTypes(request).includes('application/x-ndjson');
  reply.header('content-type', isNdjson ? 'application/x-ndjson' : 'application/jsonl');
  varyByEncoding(reply);
  const isPacked = acceptsGzip(request);
  if (isPacked) reply.header('content-encoding', 'gzip');
  reply.hijack();
  const response = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200);
  return isPacked ? await packedOutput(response) : plainOutput(response);
}

function plainOutput(response: ServerResponse): LineOutput {
  return {
    write: (text, signal) => writeTo(response, text, signal),
    end: () => void response.end(),
    break: (lastLine) => {
      response.write(lastLine);
      breakConnection(response);
    },
    abandon: () => undefined,
  };
}

async function packedOutput(response: ServerResponse): Promise<LineOutput> {
  const zlib = await import('node:zlib');
  const gzip: Gzip = zlib.createGzip({ level: zlib.constants.Z_BEST_SPEED });
  // What a reader does not take needs no push, and every push would wait in line with the others.
  const timer = setInterval(() => {
    if (!gzip.writableNeedDrain) gzip.flush(zlib.constants.Z_SYNC_FLUSH);
  }, FLUSH_MS);
  gzip.once('close', () => clearInterval(timer));
  response.once('close', () => gzip.destroy());
  gzip.pipe(response);
  return {
    write: (text, signal) => writeTo(gzip, text, signal),
    end: () => void gzip.end(),
    break: (lastLine) => {
      gzip.write(lastLine);
      gzip.flush(zlib.constants.Z_SYNC_FLUSH, () => setImmediate(breakConnection, response));
    },
    abandon: () => void gzip.destroy(),
  };
}

async function writeTo(target: ServerResponse | Gzip, text: string, signal: AbortSignal): Promise<void> {
  if (!target.write(text)) await once(target, 'drain', { signal });
}

function breakConnection({ socket }: ServerResponse): void {
  if (!socket) return;
  socket.destroySoon();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

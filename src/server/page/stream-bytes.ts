import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import { acceptsGzip, varyByEncoding } from '../http/respond.ts';
import type { Exchange } from '../routes/route.ts';
import type { Services } from '../services.ts';

type Chunk = string | Uint8Array;

/**
 * Answers with bytes as they are made, within the number of streams of a key and the time of one. The first are awaited
 * before the status line, so that errors until then are ordinary answers; a later one breaks the connection.
 */
export async function streamBytes(
  { limits, streams }: Services,
  { request, reply, ...exchange }: Exchange,
  type: string,
  open: (exchange: Omit<Exchange, 'request' | 'reply'>) => AsyncIterable<Chunk>,
): Promise<undefined> {
  const deadline = new AbortController();
  const release = streams.take(exchange.caller.keyId, deadline);
  const timer = setTimeout(() => deadline.abort(tooLong(limits.stream_ms)), limits.stream_ms);
  const end = () => {
    clearTimeout(timer);
    release();
  };
  try {
    const signal = AbortSignal.any([exchange.signal, deadline.signal]);
    const source = open({ ...exchange, signal })[Symbol.asyncIterator]();
    const first = await source.next();
    const body = Readable.from(rest(first, source, signal), { objectMode: false }).once('close', end);
    await sendPacked(request, reply.type(type), body);
  } catch (error) {
    end();
    throw error;
  }
  return undefined;
}

async function* rest(
  first: IteratorResult<Chunk>,
  source: AsyncIterator<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  try {
    for (let step = first; step.done !== true; step = await source.next()) {
      signal.throwIfAborted();
      yield step.value;
    }
  } finally {
    await source.return?.();
  }
}

async function sendPacked(request: FastifyRequest, reply: FastifyReply, body: Readable): Promise<void> {
  varyByEncoding(reply);
  if (!acceptsGzip(request)) return void reply.send(body);
  const zlib = await import('node:zlib');
  const gzip = zlib.createGzip({ level: zlib.constants.Z_BEST_SPEED });
  body.once('error', (error) => gzip.destroy(error));
  gzip.once('close', () => body.destroy());
  reply.header('content-encoding', 'gzip').send(body.pipe(gzip));
}

function tooLong(maxMs: number): TracingError {
  return new TracingError('query_timeout', `The stream took longer than ${maxMs} ms`);
}

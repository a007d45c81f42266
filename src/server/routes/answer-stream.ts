import { TracingError } from '../../protocol/error.ts';
import type { JsonText } from '../../storage/contract/json-text.ts';
import { toTracingError } from '../http/error-response.ts';
import { noteError } from '../http/request-log.ts';
import type { Services } from '../services.ts';
import { streamLines } from '../http/stream-lines.ts';
import type { Exchange } from './route.ts';

/** Answers with a stream of lines, within the number of streams of a key and the time of one. */
export async function answerStream(
  { limits, streams }: Services,
  { request, reply, toDialect, ...exchange }: Exchange,
  open: (exchange: Omit<Exchange, 'request' | 'reply' | 'toDialect'>) => Lines,
): Promise<undefined> {
  const deadline = new AbortController();
  const release = streams.take(exchange.caller.keyId, deadline);
  const timer = setTimeout(() => deadline.abort(tooLong(limits.stream_ms)), limits.stream_ms);
  const signal = AbortSignal.any([exchange.signal, deadline.signal]);
  try {
    const lines = open({ ...exchange, signal });
    await streamLines(request, reply, toDialect ? translated(lines, toDialect) : lines, {
      signal,
      onBroken: (error) => noteError(request, toTracingError(error)),
    });
  } finally {
    clearTimeout(timer);
    release();
  }
}

type Lines = AsyncIterable<readonly JsonText[]>;

async function* translated(chunks: Lines, toDialect: (line: JsonText) => JsonText): Lines {
  for await (const lines of chunks) yield lines.map(toDialect);
}

function tooLong(maxMs: number): TracingError {
  return new TracingError('query_timeout', `The stream took longer than ${maxMs} ms`);
}

import { TracingError } from '../protocol/error.ts';
import type { JsonCodec, RequestOptions } from './request.ts';

export interface JsonLinesOptions extends RequestOptions {
  /** @default JSON */
  readonly json?: JsonCodec;
}

/**
 * The records of a JSON Lines answer, decoded as they arrive. Throws `broken_stream` when the connection breaks, a
 * line is not JSON, or the service says in a last line that it failed; leaving the loop early ends the transfer.
 */
export async function* readJsonLines(
  response: Response,
  { signal, json = JSON }: JsonLinesOptions = {},
): AsyncGenerator<unknown, void> {
  for await (const line of readLines(response, signal)) {
    signal?.throwIfAborted();
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text === '') continue;
    const record = parseLine(text, json);
    throwIfFailed(record);
    yield record;
  }
}

/** The lines of an answer as they arrive; a last one needs no end. */
export async function* readLines(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string, void> {
  let rest = '';
  for await (const text of readText(response, signal)) {
    const lines = text.split('\n');
    // Only the new piece is searched: a long line that comes in many pieces must not be read again for each.
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function* readText(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string, void> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  // A `fetch` may leave a read of an aborted body without an answer; a cancelled body answers all of them.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  let isBroken = false;
  try {
    for (;;) {
      const chunk = await reader.read().catch((error: unknown) => {
        isBroken = true;
        signal?.throwIfAborted();
        throw new TracingError('broken_stream', 'Cannot read the stream to its end: the connection broke', {
          cause: error,
        });
      });
      signal?.throwIfAborted();
      if (chunk.done) break;
      yield decoder.decode(chunk.value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    signal?.removeEventListener('abort', cancel);
    if (!isBroken && !signal?.aborted) await reader.cancel();
  }
}

function parseLine(line: string, json: JsonCodec): unknown {
  try {
    return json.parse(line);
  } catch (error) {
    throw new TracingError('broken_stream', 'Cannot read the stream to its end: a line is not JSON', { cause: error });
  }
}

function throwIfFailed(record: unknown): void {
  if (typeof record !== 'object' || record === null || !('_svc_error' in record)) return;
  const { _svc_error: failure } = record;
  const extra = typeof failure === 'object' && failure !== null ? { ...failure } : {};
  const reason = 'reason' in extra && typeof extra.reason === 'string' ? extra.reason : 'no reason given';
  throw new TracingError('broken_stream', `Cannot read the stream to its end: ${reason}`, { extra });
}

import type { ReadOptions } from '../../contract/reads.ts';
import type { Chunk, RowsOf, StreamRequest } from '../threads/requests.ts';
import type { Reads } from '../threads/reads.ts';

/** Rows that a thread reads, chunk by chunk; packed ones are those of another thread. */
export async function* readStream<Row>(
  reads: Reads,
  request: StreamRequest,
  unpack: (packed: never) => Row[],
  options: ReadOptions,
): AsyncGenerator<readonly Row[]> {
  const { signal } = options;
  const left = new AbortController();
  const whileRead = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
  const { result, channel } = await reads.open(request, options);
  let chunk = chunkOf(result, unpack);
  try {
    for (;;) {
      const { rows, stream } = chunk;
      // The thread reads on while these are on their way to the reader. The deadline is over with the first chunk;
      // whoever goes away meanwhile ends the scan for the next one.
      const next = stream === undefined ? undefined : channel.send({ op: 'next', stream }, { signal: whileRead });
      next?.catch(() => undefined);
      if (rows.length > 0) yield rows;
      if (next === undefined) return;
      signal?.throwIfAborted();
      chunk = chunkOf(await next, unpack);
    }
  } finally {
    if (chunk.stream !== undefined) {
      left.abort();
      // A thread that has ended has given the stream up itself.
      void channel.send({ op: 'cancel', stream: chunk.stream }).catch(() => undefined);
    }
  }
}

function chunkOf<Row>(chunk: RowsOf<unknown>, unpack: (packed: never) => Row[]): Chunk<Row> {
  // Rows of a stream are of the kind that it was opened for.
  if ('rows' in chunk) return chunk as Chunk<Row>;
  const { packed, ...rest } = chunk;
  // A thread sends what was asked for, which is what unpacks it.
  return { rows: packed === undefined ? [] : unpack(packed as never), ...rest };
}

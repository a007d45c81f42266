import type { ReadOptions } from '../../contract/reads.ts';
import type { Packed } from '../../packed/packing.ts';
import type { Chunk, RowsOf } from '../threads/requests.ts';
import type { Reads } from '../threads/reads.ts';
import type { StreamRequest } from '../threads/row-stream.ts';

/** Rows that a thread reads, chunk by chunk; packed ones are those of another thread. */
export async function* readStream<Row>(
  reads: Reads,
  request: StreamRequest,
  unpack: (packed: Packed) => Row[],
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

function chunkOf<Row>(chunk: RowsOf<unknown>, unpack: (packed: Packed) => Row[]): Chunk<Row> {
  // Rows of a stream are of the kind that it was opened for.
  if ('rows' in chunk) return chunk as Chunk<Row>;
  const { packed, ...rest } = chunk;
  return { rows: unpack(packed), ...rest };
}

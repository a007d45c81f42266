import { layOut, type LayoutInput, type TraceLayout } from './trace-layout.ts';

/** Stands in for `layOutInThread` in a file, which may load no thread. */
export async function layOutInThread(input: LayoutInput, now: number): Promise<TraceLayout> {
  return layOut(input, now);
}

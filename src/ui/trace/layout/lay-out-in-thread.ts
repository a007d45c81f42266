import { layOut, type LayoutInput, type TraceLayout } from './trace-layout.ts';

/** Up to here a layout takes less than a thread takes to start. */
const MAX_CALLS_HERE = 20_000;

interface Answer {
  readonly layout: TraceLayout;
}

/** The layout of a trace, made in a thread when it is long. An aborted one ends its thread and never settles. */
export async function layOutInThread(input: LayoutInput, now: number, signal: AbortSignal): Promise<TraceLayout> {
  if (input.count <= MAX_CALLS_HERE) return layOut(input, now);
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  signal.addEventListener('abort', () => worker.terminate(), { once: true });
  return await new Promise<TraceLayout>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data.layout));
    worker.addEventListener('error', (event) =>
      reject(new Error(`Cannot lay out the trace: ${event.message || 'its code could not be loaded'}`)),
    );
    worker.postMessage({ input, now }, []);
  }).finally(() => worker.terminate());
}

import type PQueue from 'p-queue';

/** Calls must not wait behind large files. */
export interface Lanes {
  readonly calls: PQueue;
  readonly objects: PQueue;
}

/** Batches under way at a time: enough for 1,000 calls per second to a service that answers in half a second. */
const CALL_REQUESTS = 4;
const OBJECT_REQUESTS = 2;

export async function openLanes(): Promise<Lanes> {
  const { default: Queue } = await import('p-queue');
  return { calls: new Queue({ concurrency: CALL_REQUESTS }), objects: new Queue({ concurrency: OBJECT_REQUESTS }) };
}

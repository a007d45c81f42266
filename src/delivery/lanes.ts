import type PQueue from 'p-queue';

/** Calls must not wait behind large files. */
interface Lanes {
  readonly calls: PQueue;
  readonly objects: PQueue;
}

/** Batches under way at a time: enough for 1,000 calls per second to a service that answers in half a second. */
const CALL_REQUESTS = 4;
const OBJECT_REQUESTS = 2;

/** Each has a connection, so that none waits for one with its time limit running. */
export const REQUESTS_AT_ONCE = CALL_REQUESTS + OBJECT_REQUESTS;

export type OpenLane = (name: keyof Lanes) => Promise<PQueue>;

/** Opens lanes when they are first needed. A failure is not the last word: the process may be out of file handles. */
export function laneOpener(): OpenLane {
  let lanes: Promise<Lanes> | undefined;
  return async (name) => {
    lanes ??= openLanes();
    try {
      return (await lanes)[name];
    } catch (error) {
      lanes = undefined;
      throw error;
    }
  };
}

async function openLanes(): Promise<Lanes> {
  const { default: Queue } = await import('p-queue');
  return { calls: new Queue({ concurrency: CALL_REQUESTS }), objects: new Queue({ concurrency: OBJECT_REQUESTS }) };
}

import type PQueue from 'p-queue';
import { setImmediate } from '../host/timers.ts';

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
  const open = (concurrency: number) => keepMoving(new Queue({ concurrency }), concurrency);
  return { calls: open(CALL_REQUESTS), objects: open(OBJECT_REQUESTS) };
}

/**
 * The queue learns in a microtask of the global function that a task has ended. Where a test holds these back, the places
 * of ended tasks are given anew, so that it goes on all the same.
 */
function keepMoving(queue: PQueue, concurrency: number): PQueue {
  let running = 0;
  const add = queue.add.bind(queue);
  const giveAnew = () => {
    const held = Math.max(0, queue.pending - running);
    if (queue.concurrency === concurrency + held) return;
    queue.concurrency = concurrency + held;
    queue.emit('next');
  };
  const follow = () => {
    running--;
    setImmediate(() => {
      try {
        giveAnew();
      } catch {
        // The queue asks a clock that a test may have broken; the program does not pay for that.
      }
    }).unref();
  };
  queue.add = (task, options) => {
    const counted: typeof task = async (given) => {
      running++;
      return task(given);
    };
    return add(counted, options).finally(follow);
  };
  return queue;
}

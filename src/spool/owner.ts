import { builtin } from '../host/builtin.ts';
import { startTicks } from '../host/process-mark.ts';

/** Owner of a segment nobody writes any more. */
export const FREE = 'free';

/**
 * Names this process so that a later process with the same number is not taken for it. Worker threads are owners of their
 * own: they may end long before their process.
 */
export function ownerOf(pid: number = process.pid, threadId: number = ownThread(pid)): string {
  const owner = `${pid}-${startTicks(pid) ?? 0}`;
  return threadId === 0 ? owner : `${owner}-${threadId}`;
}

/** Does the process that `owner` names, or has a thread of, still run? A process we may not signal runs. */
export function isOwnerAlive(owner: string): boolean {
  const [pid, ticks] = owner.split('-').map(Number);
  if (!pid || !isAlive(pid)) return false;
  const now = startTicks(pid);
  return !ticks || now === undefined || now === ticks;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** 0 is the main thread. */
function ownThread(pid: number): number {
  return pid === process.pid ? builtin('node:worker_threads').threadId : 0;
}

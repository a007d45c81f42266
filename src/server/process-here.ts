import { hostname } from 'node:os';
import type { Sender } from '../protocol/sender.ts';
import { isAlive } from '../spool/owner.ts';

/** Does a process still run? `undefined` where that cannot be seen from this machine. */
export function isRunningHere({ host, pid }: Sender): boolean | undefined {
  return host === hostname() ? isAlive(pid) : undefined;
}

/** The process that a record names by its members `host` and `pid`; `undefined` where it names none. */
export function senderIn({ host, pid }: Readonly<Record<string, unknown>>): Sender | undefined {
  if (typeof host !== 'string' || typeof pid !== 'number') return undefined;
  // Numbers below 1 mean groups of processes.
  return Number.isSafeInteger(pid) && pid > 0 ? { host, pid } : undefined;
}

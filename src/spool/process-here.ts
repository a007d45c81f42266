import { hostname } from 'node:os';
import { pidNamespace, startTicks } from '../host/process-mark.ts';
import type { Sender } from '../protocol/sender.ts';
import { isAlive } from './owner.ts';

/** Does a process still run? `undefined` where that cannot be seen from this one. */
export function isRunningHere({ host, pid, started, namespace }: Sender): boolean | undefined {
  if (host !== hostname()) return undefined;
  const { own, isTakenForOwn } = namespaceHere();
  if (namespace === undefined ? !isTakenForOwn : namespace !== own) return undefined;
  const found = processHere(pid);
  return found !== undefined && (started === undefined || (found.started ?? started) === started);
}

/** The process that has a number now: when it began, as far as the system tells; `undefined` when none has. */
export function processHere(pid: number): { readonly started: number | undefined } | undefined {
  return isAlive(pid) ? { started: startTicks(pid) } : undefined;
}

export interface NamespaceHere {
  /** Where the numbers of processes count that can be seen; `undefined` where that is not known. */
  readonly own: number | undefined;
  /** Are processes that do not say where their number counts taken to be seen? Not from within a container. */
  readonly isTakenForOwn: boolean;
}

/** The namespace of processes that Linux begins with. */
const FIRST_NAMESPACE = 0xef_ff_ff_fc;

export function namespaceHere(): NamespaceHere {
  const own = pidNamespace();
  return { own, isTakenForOwn: own === 0 || own === FIRST_NAMESPACE };
}

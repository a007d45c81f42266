import type { CallFact } from '../../storage/contract/calls.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { NotingCalls } from '../metrics/noting-calls.ts';
import { withRoles } from '../with-roles.ts';
import { ChangeLog, type ChangeKind } from './change-log.ts';
import { NotingFeedback } from './noting-feedback.ts';

/** Projects whose changes are kept; of more, those that changed or were asked for last, and those that are watched. */
const MAX_LOGS = 200;

/** Calls of a project that changed. */
export interface ChangedCalls {
  readonly projectId: string;
  readonly ids: Iterable<string>;
}

/** The same on its way between threads: as objects, a hundred thousand of them are tens of megabytes to collect. */
export interface PackedChange {
  readonly projectId: string;
  /** A line for each. */
  readonly ids: string;
}

/** Knows which calls have changed lately, whoever has written them. */
export class CallChanges {
  /** In the order in which they were used. */
  readonly #logs = new Map<string, ChangeLog>();

  /** The storage, with its writes noted, and what it changes by itself. */
  watch(storage: Storage): Storage {
    const onWritten = (facts: readonly CallFact[]) => this.note(changedBy(facts));
    const onChanged = (projectId: string, ids: readonly string[]) => this.note([{ projectId, ids }]);
    storage.watchCalls?.(onChanged);
    const calls = new NotingCalls(storage.calls, {
      onWritten,
      onRefused: storage.capabilities.atomicBatches ? undefined : onWritten,
      onChanged,
    });
    const feedback = new NotingFeedback(storage.feedback, (changed) => this.note(changed, 'feedback'));
    return withRoles(storage, { calls, feedback });
  }

  note(changed: readonly ChangedCalls[], kind: ChangeKind = 'call'): void {
    for (const { projectId, ids } of changed) {
      const log = this.log(projectId);
      for (const id of ids) log.add(id, kind);
    }
  }

  /** The changes of a project from now on, or from before where somebody has asked or written. */
  log(projectId: string): ChangeLog {
    const log = this.#logs.get(projectId) ?? new ChangeLog();
    this.#logs.delete(projectId);
    this.#logs.set(projectId, log);
    if (this.#logs.size > MAX_LOGS) this.#forgetOne();
    return log;
  }

  #forgetOne(): void {
    for (const [projectId, log] of this.#logs) {
      if (log.isWatched) continue;
      this.#logs.delete(projectId);
      return;
    }
  }
}

/** The calls that a batch is about; one whose start and end come together is named once. */
export function changedBy(facts: readonly CallFact[]): ChangedCalls[] {
  const changed = new Map<string, Set<string>>();
  for (const { project_id: projectId, id } of facts) {
    const ids = changed.get(projectId) ?? new Set();
    if (ids.size === 0) changed.set(projectId, ids);
    ids.add(id);
  }
  return Array.from(changed, ([projectId, ids]) => ({ projectId, ids }));
}

export function packChanges(changed: readonly ChangedCalls[]): PackedChange[] {
  return changed.map(({ projectId, ids }) => ({ projectId, ids: [...ids].join('\n') }));
}

/** Ids have no line breaks. */
export function changesOf(changed: readonly PackedChange[]): ChangedCalls[] {
  return changed.map(({ projectId, ids }) => ({ projectId, ids: ids.split('\n') }));
}

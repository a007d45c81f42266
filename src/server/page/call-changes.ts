import type { CallFact } from '../../storage/contract/calls.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { NotingCalls } from '../metrics/noting-calls.ts';
import { withRoles } from '../with-roles.ts';
import { ChangeLog } from './change-log.ts';

/** Projects whose changes are kept; of more, those that changed or were asked for last, and those that are watched. */
const MAX_LOGS = 200;

/** A call that changed. */
export interface ChangedCall {
  readonly projectId: string;
  readonly id: string;
}

/** Knows which calls have changed lately, whoever has written them. */
export class CallChanges {
  /** In the order in which they were used. */
  readonly #logs = new Map<string, ChangeLog>();

  /** The storage, with its writes noted. */
  watch(storage: Storage): Storage {
    const onWritten = (facts: readonly CallFact[]) => this.note(changedBy(facts));
    const calls = new NotingCalls(storage.calls, {
      onWritten,
      onRefused: storage.capabilities.atomicBatches ? undefined : onWritten,
      onChanged: (projectId, ids) => this.note(ids.map((id) => ({ projectId, id }))),
    });
    return withRoles(storage, { calls });
  }

  note(changed: readonly ChangedCall[]): void {
    for (const { projectId, id } of changed) this.log(projectId).add(id);
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
export function changedBy(facts: readonly CallFact[]): ChangedCall[] {
  const changed = new Map(facts.map(({ project_id: projectId, id }) => [`${projectId}\n${id}`, { projectId, id }]));
  return [...changed.values()];
}

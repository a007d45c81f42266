import { setTimeout } from 'node:timers/promises';
import { type ProcessRun, parseRun, RUN_HEADER } from '../../protocol/process-run.ts';
import type { RunFacts, RunStore } from '../../storage/contract/runs.ts';
import { mergedRun, saysNothingNew } from '../../storage/values/run-words.ts';
import type { Asked } from '../http/asked.ts';

/** The run that the calls of a request belong to; `undefined` where nothing says so. */
export function runOf({ headers }: Pick<Asked, 'headers'>): ProcessRun | undefined {
  const said = headers[RUN_HEADER];
  return typeof said === 'string' ? parseRun(said) : undefined;
}

/** Runs that are remembered; what is said of others is noted again, which is harmless. */
const MAX_REMEMBERED = 10_000;

/** A run that was noted so long ago is noted again: another service may have removed it meanwhile. */
const REMEMBERED_MS = 3_600_000;

/** Milliseconds before each try of what could not be noted beside calls that are stored. */
const RETRY_MS = [250, 1000, 4000, 15_000, 60_000];

interface Later {
  /** Nobody tries again after that. */
  readonly stopping: AbortSignal;
  /** Told why it was not noted, of the last try. */
  readonly onFailed: (error: unknown) => void;
}

/** All that is stored of a run, or soon will be. */
interface Noted {
  readonly facts: RunFacts;
  readonly at: number;
  readonly stored: Promise<void>;
}

/**
 * Notes what processes say of themselves, once and not with each batch: threads of a process, and copies of the package in it, do not
 * say the same, and each of them says it with all that it sends.
 */
export class RunNotes {
  readonly #store: RunStore | undefined;
  readonly #now: () => number;
  /** The one that was noted last comes last. */
  readonly #noted = new Map<string, Noted>();
  /** How many removals are under way. */
  #removals = 0;

  /** Without a store nothing is noted. */
  constructor(store: RunStore | undefined, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** Resolves when it is stored with all of these projects, which must be those that calls of the run were written to. */
  async note(run: ProcessRun | undefined, projects: readonly string[]): Promise<void> {
    const store = this.#store;
    if (run === undefined || store === undefined) return;
    await Promise.all(projects.map((projectId) => this.#noteIn(store, factsOf(projectId, run))));
  }

  /**
   * The same for calls that are stored already: who sent them is not to hear that nothing was. Resolves when it was noted, or could
   * not be for now: then it is tried again beside.
   */
  async noteBeside(run: ProcessRun | undefined, projects: readonly string[], later: Later): Promise<void> {
    try {
      await this.note(run, projects);
    } catch (error) {
      void this.#noteLater(error, () => this.note(run, projects), later);
    }
  }

  async #noteLater(failure: unknown, note: () => Promise<void>, { stopping, onFailed }: Later): Promise<void> {
    let last = failure;
    for (const ms of RETRY_MS) {
      if (stopping.aborted) break;
      await setTimeout(ms, undefined, { ref: false, signal: stopping }).catch(() => undefined);
      try {
        return await note();
      } catch (error) {
        last = error;
      }
    }
    onFailed(last);
  }

  /**
   * Carries out what may remove runs. Whoever says something meanwhile, or behind it, is noted again: nobody knows here which of them
   * are gone already.
   */
  async whileRemoving(removal: () => Promise<void>): Promise<void> {
    this.#removals++;
    this.#noted.clear();
    try {
      await removal();
    } finally {
      this.#removals--;
      this.#noted.clear();
    }
  }

  async #noteIn(store: RunStore, said: RunFacts): Promise<void> {
    const key = `${said.id} ${said.project_id}`;
    const known = this.#knownAt(key);
    if (known !== undefined && this.#removals === 0 && saysNothingNew(known.facts, said)) return await known.stored;
    const facts = known === undefined ? said : mergedRun(known.facts, said);
    const noted = { facts, at: this.#now(), stored: store.note(facts) };
    this.#noted.delete(key);
    this.#noted.set(key, noted);
    for (const oldest of this.#noted.keys()) {
      if (this.#noted.size <= MAX_REMEMBERED) break;
      this.#noted.delete(oldest);
    }
    try {
      await noted.stored;
    } catch (error) {
      // Who comes next tries again.
      if (this.#noted.get(key) === noted) this.#noted.delete(key);
      throw error;
    }
  }

  #knownAt(key: string): Noted | undefined {
    const noted = this.#noted.get(key);
    return noted !== undefined && this.#now() - noted.at < REMEMBERED_MS ? noted : undefined;
  }
}

function factsOf(projectId: string, { id, startedAt, pid, host, version, commit, isDirty }: ProcessRun): RunFacts {
  return { project_id: projectId, id, started_at: startedAt, pid, host, version, commit, is_dirty: isDirty };
}

import { createContext, type ReactElement, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';
import type { Underway } from './call-actions.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** The works on calls that are under way. They go on when the list that they were begun in is left, and are there again with it. */
export class Works {
  readonly #listeners = new Set<() => void>();
  readonly #hidden = new Map<string, ReadonlySet<string>>();
  #underway: ReadonlyMap<object, Underway> = new Map();
  #isGiving = false;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  };

  /** The first that was begun is the first. */
  readonly underway = (): ReadonlyMap<object, Underway> => this.#underway;

  /** Calls of a project that are not shown: they are being deleted, or will be once nobody can undo it. */
  hidden(project: string): ReadonlySet<string> {
    return this.#hidden.get(project) ?? NOTHING;
  }

  /** One more work, which says how far it is; `undefined`: it is over. */
  begin(): (work: Underway | undefined) => void {
    const key = {};
    return (work) => {
      const after = new Map(this.#underway);
      if (work === undefined) after.delete(key);
      else after.set(key, work);
      this.#underway = after;
      this.#tell();
    };
  }

  hide(project: string, ids: readonly string[]): void {
    this.#hidden.set(project, new Set([...this.hidden(project), ...ids]));
    this.#tell();
  }

  show(project: string, ids: readonly string[]): void {
    const shown = new Set(ids);
    this.#hidden.set(project, new Set([...this.hidden(project)].filter((id) => !shown.has(id))));
    this.#tell();
  }

  /** Gives feedback, unless some is being given already: false then. */
  async give(run: () => Promise<void>): Promise<boolean> {
    if (this.#isGiving) return false;
    this.#isGiving = true;
    try {
      await run();
    } finally {
      this.#isGiving = false;
    }
    return true;
  }

  #tell(): void {
    for (const changed of this.#listeners) changed();
  }
}

const WorksContext = createContext(new Works());

/** Keeps works while pages come and go in it. */
export function WorksPlace({ children }: { readonly children: ReactNode }): ReactElement {
  const [works] = useState(() => new Works());
  return <WorksContext value={works}>{children}</WorksContext>;
}

export function useWorks(): Works {
  return useContext(WorksContext);
}

/** Calls of a project that are being deleted. */
export function useHiddenCalls(project: string): ReadonlySet<string> {
  const works = useWorks();
  return useSyncExternalStore(works.subscribe, () => works.hidden(project));
}

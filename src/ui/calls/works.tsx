import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Underway } from './call-actions.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** A work, and the project that its calls are of. */
export interface WorkOfProject extends Underway {
  readonly project: string;
}

/** The works on calls that are under way. They go on when the list that they were begun in is left, and are shown on every page. */
export class Works {
  readonly #listeners = new Set<() => void>();
  readonly #hidden = new Map<string, ReadonlySet<string>>();
  readonly #giving = new Set<string>();
  #underway: ReadonlyMap<number, WorkOfProject> = new Map();
  #begun = 0;
  #isClosed = false;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  };

  /** By their numbers; the first that was begun is the first. */
  readonly underway = (): ReadonlyMap<number, WorkOfProject> => this.#underway;

  /** Calls of a project that are not shown: they are being deleted, or will be once nobody can undo it. */
  hidden(project: string): ReadonlySet<string> {
    return this.#hidden.get(project) ?? NOTHING;
  }

  /** One more work, which says how far it is; `undefined`: it is over. */
  begin(project: string): (work: Underway | undefined) => void {
    const number = ++this.#begun;
    return (work) => {
      if (this.#isClosed) return work?.stop();
      const after = new Map(this.#underway);
      if (work === undefined) after.delete(number);
      else after.set(number, { ...work, project });
      this.#underway = after;
      this.#tell();
    };
  }

  /** Stops all, and whatever is begun from here on: somebody else is at the page. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  open(): void {
    this.#isClosed = false;
  }

  /** Stops all that are under way; each says how far it came. */
  stop(): void {
    for (const { stop } of this.#underway.values()) stop();
  }

  /** Is anything under way, or about to be deleted? */
  readonly isAny = (): boolean => this.#underway.size > 0 || [...this.#hidden.values()].some(({ size }) => size > 0);

  hide(project: string, ids: readonly string[]): void {
    this.#hidden.set(project, new Set([...this.hidden(project), ...ids]));
    this.#tell();
  }

  show(project: string, ids: readonly string[]): void {
    const shown = new Set(ids);
    this.#hidden.set(project, new Set([...this.hidden(project)].filter((id) => !shown.has(id))));
    this.#tell();
  }

  /** Gives feedback to calls of a project, unless some is being given there already: false then. */
  async give(project: string, run: () => Promise<void>): Promise<boolean> {
    if (this.#giving.has(project)) return false;
    this.#giving.add(project);
    try {
      await run();
    } finally {
      this.#giving.delete(project);
    }
    return true;
  }

  #tell(): void {
    for (const changed of this.#listeners) changed();
  }
}

const WorksContext = createContext<Works | undefined>(undefined);

/** Keeps works while pages come and go in it, as long as one and the same is at them. */
export function WorksPlace({ children }: { readonly children: ReactNode }): ReactElement {
  const [works] = useState(() => new Works());
  useEffect(() => {
    works.open();
    return () => works.close();
  }, [works]);
  const isAny = useSyncExternalStore(works.subscribe, works.underway).size > 0;
  useEffect(() => {
    if (!isAny) return undefined;
    // Whoever closes or reloads the page is asked first: works end with it.
    addEventListener('beforeunload', keepPage);
    return () => removeEventListener('beforeunload', keepPage);
  }, [isAny]);
  return <WorksContext value={works}>{children}</WorksContext>;
}

function keepPage(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

export function useWorks(): Works {
  const works = useContext(WorksContext);
  if (works === undefined) throw new Error('Works on calls need a WorksPlace around them');
  return works;
}

/** Is anything begun here that is not over? */
export function useIsAnyWork(): boolean {
  const works = useWorks();
  return useSyncExternalStore(works.subscribe, works.isAny);
}

/** Calls of a project that are being deleted. */
export function useHiddenCalls(project: string): ReadonlySet<string> {
  const works = useWorks();
  return useSyncExternalStore(works.subscribe, () => works.hidden(project));
}

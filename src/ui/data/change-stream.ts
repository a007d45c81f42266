import type { CallRow } from './answers.ts';
import { addressOf } from './ask.ts';
import { openLastingSource } from './lasting-source.ts';

export interface Changes {
  /** Calls that began, ended or changed, each in its newest form. */
  readonly rows: readonly CallRow[];
  /** Calls that are there no more. */
  readonly gone: readonly string[];
  /** Calls that got feedback, or lost it. */
  readonly feedback: readonly string[];
  /** The service passed over changes: what is shown has to be read again. */
  readonly hasMissed: boolean;
}

/** `lost` since when: the service closed the stream or is gone. */
export interface LiveState {
  readonly isOpen: boolean;
  readonly lostAt: number | undefined;
}

/** At most so many updates of the page a second, however many calls there are. */
const UPDATES_PER_SECOND = 4;

/** Where the changes of a project are told. */
export function changesAddress(projectId: string): string {
  return addressOf(`/x/calls/changes?project_id=${encodeURIComponent(projectId)}`);
}

/** Keeps a connection to the service, until what it returns is called. */
export function openChanges(
  address: string,
  onChanges: (changes: Changes) => void,
  onState: (state: LiveState) => void,
): () => void {
  const rows = new Map<string, CallRow>();
  const gone = new Set<string>();
  const feedback = new Set<string>();
  let hasMissed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    onChanges({ rows: [...rows.values()], gone: [...gone], feedback: [...feedback], hasMissed });
    rows.clear();
    gone.clear();
    feedback.clear();
    hasMissed = false;
  };
  const soon = () => {
    timer ??= setTimeout(flush, 1000 / UPDATES_PER_SECOND);
  };
  const take: Readonly<Record<string, (data: string) => void>> = {
    // Where the reader is, before there was a change.
    hello: () => undefined,
    call: (data) => {
      const row = JSON.parse(data) as CallRow;
      rows.set(row.id, row);
      gone.delete(row.id);
      soon();
    },
    gone: (data) => {
      for (const id of (JSON.parse(data) as { ids: string[] }).ids) {
        rows.delete(id);
        gone.add(id);
      }
      soon();
    },
    feedback: (data) => {
      for (const id of (JSON.parse(data) as { ids: string[] }).ids) feedback.add(id);
      soon();
    },
    missed: () => {
      hasMissed = true;
      soon();
    },
  };
  const close = openLastingSource(address, Object.keys(take), {
    onEvent: (name, data) => take[name]?.(data),
    onOpen: () => onState({ isOpen: true, lostAt: undefined }),
    onLost: () => onState({ isOpen: false, lostAt: Date.now() }),
  });
  return () => {
    clearTimeout(timer);
    close();
  };
}

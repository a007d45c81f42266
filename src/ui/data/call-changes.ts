import { useEffect, useRef, useState } from 'react';
import type { CallRow } from './answers.ts';
import { addressOf } from './ask.ts';

export interface Changes {
  /** Calls that began, ended or changed, each in its newest form. */
  readonly rows: readonly CallRow[];
  /** How many changes the service passed over: what is shown has to be read again. */
  readonly missed: number;
}

/** `lost` since when: the service closed the stream or is gone. */
export interface LiveState {
  readonly isOpen: boolean;
  readonly lostAt: number | undefined;
}

/** At most so many updates of the page a second, however many calls there are. */
const UPDATES_PER_SECOND = 4;

/**
 * Follows the calls of a project while the page is seen. A hidden page follows nothing; `onReturn` is called when it is
 * seen again, for one question instead of all that was missed.
 */
export function useCallChanges(
  projectId: string,
  isFollowing: boolean,
  handlers: { readonly onChanges: (changes: Changes) => void; readonly onReturn: () => void },
): LiveState {
  const [state, setState] = useState<LiveState>({ isOpen: false, lostAt: undefined });
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const isSeen = useIsSeen();
  const wasHidden = useRef(false);
  useEffect(() => {
    if (!isFollowing || !isSeen) {
      wasHidden.current = isFollowing;
      return undefined;
    }
    if (wasHidden.current) latest.current.onReturn();
    wasHidden.current = false;
    return follow(projectId, (changes) => latest.current.onChanges(changes), setState);
  }, [projectId, isFollowing, isSeen]);
  return state;
}

function follow(
  projectId: string,
  onChanges: (changes: Changes) => void,
  onState: (state: LiveState) => void,
): () => void {
  const source = new EventSource(addressOf(`/x/calls/changes?project_id=${encodeURIComponent(projectId)}`));
  const rows = new Map<string, CallRow>();
  let missed = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    onChanges({ rows: [...rows.values()], missed });
    rows.clear();
    missed = 0;
  };
  const soon = () => {
    timer ??= setTimeout(flush, 1000 / UPDATES_PER_SECOND);
  };
  source.addEventListener('call', (event: MessageEvent<string>) => {
    const row = JSON.parse(event.data) as CallRow;
    rows.set(row.id, row);
    soon();
  });
  source.addEventListener('missed', (event: MessageEvent<string>) => {
    missed += (JSON.parse(event.data) as { count: number }).count;
    soon();
  });
  source.addEventListener('open', () => onState({ isOpen: true, lostAt: undefined }));
  source.addEventListener('error', () => onState({ isOpen: false, lostAt: Date.now() }));
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

function useIsSeen(): boolean {
  const [isSeen, setIsSeen] = useState(() => document.visibilityState !== 'hidden');
  useEffect(() => {
    const look = () => setIsSeen(document.visibilityState !== 'hidden');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}

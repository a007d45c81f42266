import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Changes, changesAddress, type LiveState } from './change-stream.ts';
import { LIFE_KEY } from './session.ts';
import { followTogether } from './shared-changes.ts';

export interface ChangeHandlers {
  readonly onChanges: (changes: Changes) => void;
  /** Changes were not told for a while: between what was read and now, or while the page was hidden. */
  readonly onReturn: () => void;
}

/**
 * Follows the calls of a project while the page is seen. A hidden page follows nothing. Each time that changes are told
 * from then on, `onReturn` is called: for one question instead of all that was missed.
 */
export function useCallChanges(projectId: string, isFollowing: boolean, handlers: ChangeHandlers): LiveState {
  const [state, setState] = useState<LiveState>({ isOpen: false, lostAt: undefined });
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const isSeen = useIsSeen();
  const client = useQueryClient();
  useEffect(() => {
    if (!isFollowing || !isSeen) return undefined;
    let hasOpened = false;
    const take = (changes: Changes): void => {
      readChangedRecords(client, projectId, changes);
      latest.current.onChanges(changes);
    };
    const onState = (next: LiveState): void => {
      if (next.isOpen && !hasOpened) latest.current.onReturn();
      hasOpened ||= next.isOpen;
      // The service may be gone, or not know any more who asks: that is told at once, and not when it is time to look.
      if (next.lostAt !== undefined) void client.invalidateQueries({ queryKey: LIFE_KEY });
      setState(next);
    };
    return followTogether(changesAddress(projectId), take, onState);
  }, [projectId, isFollowing, isSeen, client]);
  return state;
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

/** The key that a whole call is kept under. */
export function recordKey(projectId: string, callId: string): QueryKey {
  return ['call record', projectId, callId];
}

/** Calls that are looked at are read again when they changed, also those that were not there yet. */
export function readChangedRecords(client: QueryClient, projectId: string, { rows }: Pick<Changes, 'rows'>): void {
  const changed = new Set<unknown>(rows.map(({ id }) => id));
  const isChanged = ({ queryKey: [, project, id] }: { readonly queryKey: QueryKey }): boolean =>
    project === projectId && changed.has(id);
  for (const name of ['call record', 'row']) {
    void client.invalidateQueries({ queryKey: [name], predicate: isChanged });
  }
}

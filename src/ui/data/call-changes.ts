import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Changes, changesAddress, type LiveState } from './change-stream.ts';
import { LIFE_KEY } from './session.ts';
import { followTogether } from './shared-changes.ts';
import { tellTouched } from './touched-calls.ts';

export interface ChangeHandlers {
  /** Not called where nothing but feedback changed: `useTouchedCalls` is told of that. */
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
      readChangedFeedback(client, projectId, changes);
      if (changes.feedback.length > 0) tellTouched(projectId, changes.feedback);
      if (isOfCalls(changes)) latest.current.onChanges(changes);
    };
    const onState = (next: LiveState): void => {
      if (next.isOpen && !hasOpened) {
        latest.current.onReturn();
        // Also the first time: it may have been read long before, on a page that was paused.
        readAllFeedback(client, projectId);
      }
      hasOpened ||= next.isOpen;
      // The service may be gone, or not know any more who asks: that is told at once, and not when it is time to look.
      if (next.lostAt !== undefined) void client.invalidateQueries({ queryKey: LIFE_KEY });
      setState(next);
    };
    return followTogether(changesAddress(projectId), take, onState);
  }, [projectId, isFollowing, isSeen, client]);
  return state;
}

function isOfCalls({ rows, gone, hasMissed }: Changes): boolean {
  return rows.length > 0 || gone.length > 0 || hasMissed;
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

/** The key that the feedback on a call is kept under. */
export function feedbackKey(projectId: string, callId: string): QueryKey {
  return [FEEDBACK, projectId, callId];
}

/** Feedback that is looked at is read again when others gave some, or when nobody knows. */
export function readChangedFeedback(
  client: QueryClient,
  projectId: string,
  { feedback, hasMissed }: Pick<Changes, 'feedback' | 'hasMissed'>,
): void {
  if (hasMissed) return readAllFeedback(client, projectId);
  for (const id of feedback) void client.invalidateQueries({ queryKey: feedbackKey(projectId, id) });
}

function readAllFeedback(client: QueryClient, projectId: string): void {
  void client.invalidateQueries({ queryKey: [FEEDBACK, projectId] });
}

const FEEDBACK = 'feedback';

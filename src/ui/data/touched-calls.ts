import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CallsSelection } from './answers.ts';

type Take = (callIds: readonly string[]) => void;

type Takers = Map<string, Set<Take>>;

const touchedTakers: Takers = new Map();
const goneTakers: Takers = new Map();

/** Says that the feedback of calls is another: this page has given some, or somebody else, as the service has told. */
export function tellTouched(projectId: string, callIds: readonly string[]): void {
  tell(touchedTakers, projectId, callIds);
}

/** Calls of a project that are touched while this is shown. */
export function useTouchedCalls(projectId: string, take: Take): void {
  useTaker(touchedTakers, projectId, take);
}

/** Says that this page has deleted calls: whoever does not follow the service would not know it. */
export function tellGone(projectId: string, callIds: readonly string[]): void {
  tell(goneTakers, projectId, callIds);
}

/** Calls of a project that are deleted here while this is shown. */
export function useGoneCalls(projectId: string, take: Take): void {
  useTaker(goneTakers, projectId, take);
}

/**
 * May feedback that is given change the answer to a question? Where it only may, as for a text that is searched for, nothing is
 * lost but a question.
 */
export function asksFeedback({ query, where }: Pick<CallsSelection, 'query' | 'where'> = {}): boolean {
  return JSON.stringify([query, where]).includes('feedback');
}

/** Is it the key of an answer to such a question about calls of a project? */
export function isByFeedback([, selection]: QueryKey, projectId: string): boolean {
  const asked = selection as Partial<CallsSelection> | undefined;
  return asked?.project_id === projectId && asksFeedback(asked);
}

function tell(takers: Takers, projectId: string, callIds: readonly string[]): void {
  for (const take of takers.get(projectId) ?? []) take(callIds);
}

function useTaker(takers: Takers, projectId: string, take: Take): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const own: Take = (callIds) => latest.current(callIds);
    const all = takers.get(projectId) ?? new Set<Take>();
    takers.set(projectId, all.add(own));
    return () => {
      all.delete(own);
      if (all.size === 0) takers.delete(projectId);
    };
  }, [takers, projectId]);
}

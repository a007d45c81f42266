import { useEffect, useRef } from 'react';

type Take = (callIds: readonly string[]) => void;

const takers = new Map<string, Set<Take>>();

/** Says that this page has changed something of calls that the service tells nobody of, as their feedback. */
export function tellTouched(projectId: string, callIds: readonly string[]): void {
  for (const take of takers.get(projectId) ?? []) take(callIds);
}

/** Calls of a project that are touched while this is shown. */
export function useTouchedCalls(projectId: string, take: Take): void {
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
  }, [projectId]);
}

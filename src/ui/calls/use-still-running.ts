import { useEffect, useEffectEvent, useMemo } from 'react';
import type { CallRow } from '../data/answers.ts';

/** How often it is asked whether calls still run. */
const RUNNING_MS = 10_000;

/** A program that is gone says so to nobody: while calls run, and the page is seen, it is asked. */
export function useStillRunning(
  rows: readonly Pick<CallRow, 'state'>[],
  isFollowing: boolean,
  look: () => void | Promise<void>,
): void {
  const isAny = useMemo(() => rows.some(({ state }) => state === 'running'), [rows]);
  const lookNow = useEffectEvent(() => {
    if (document.visibilityState !== 'hidden') void look();
  });
  useEffect(() => {
    if (!isAny || !isFollowing) return undefined;
    const timer = setInterval(lookNow, RUNNING_MS);
    return () => clearInterval(timer);
  }, [isAny, isFollowing]);
}

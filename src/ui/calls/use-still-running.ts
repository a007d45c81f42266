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
  const lookNow = useEffectEvent(async () => {
    if (document.visibilityState !== 'hidden') await look();
  });
  useEffect(() => {
    if (!isAny || !isFollowing) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    // A service that is slow is asked once, and again after its answer.
    const lookLater = (): void => {
      timer = setTimeout(() => void lookNow().finally(() => isOver || lookLater()), RUNNING_MS);
    };
    lookLater();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isAny, isFollowing]);
}

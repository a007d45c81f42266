import { useEffect, useState } from 'react';

/** The stage of a wait: what comes sooner needs no sign that it is coming. */
export type Stage = 'nothing' | 'bars' | 'count';

const BARS_AFTER_MS = 150;
const COUNT_AFTER_MS = 1000;

/** How long one has been waiting, from when `isWaiting` became true on. */
export function useStage(isWaiting = true): Stage {
  const [stage, setStage] = useState<Stage>('nothing');
  useEffect(() => {
    setStage('nothing');
    if (!isWaiting) return undefined;
    const timers = [
      setTimeout(() => setStage('bars'), BARS_AFTER_MS),
      setTimeout(() => setStage('count'), COUNT_AFTER_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, [isWaiting]);
  return stage;
}

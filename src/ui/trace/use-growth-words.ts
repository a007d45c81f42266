import { useEffect, useRef, useState } from 'react';
import { countOf } from '../format/count.ts';

/** Who listens to a page is told no more often. */
const LEAST_PAUSE_MS = 5000;

interface Counts {
  readonly calls: number;
  readonly errors: number;
}

/**
 * How a trace, or a list, has grown since it was last said, for who does not see it. While counts are not known, those before
 * them count.
 */
export function useGrowthWords(calls: number | undefined, errors = 0): string {
  const said = useRef<Counts>(undefined);
  const newest = useRef<Counts>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [words, setWords] = useState('');
  useEffect(() => {
    if (calls === undefined) return;
    newest.current = { calls, errors };
    // What left is not said, and does not hide what comes.
    if (said.current === undefined || calls < said.current.calls) said.current = newest.current;
    if (timer.current !== undefined || calls <= said.current.calls) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      const grown = growthOf(said.current, newest.current);
      said.current = newest.current;
      if (grown !== '') setWords(grown);
    }, LEAST_PAUSE_MS);
  }, [calls, errors]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return words;
}

/** Nothing where what came has left before it was said. */
function growthOf(said: Counts | undefined, now: Counts | undefined): string {
  if (said === undefined || now === undefined || now.calls <= said.calls) return '';
  const failed = now.errors - said.errors;
  return [countOf(now.calls - said.calls, 'new call'), ...(failed > 0 ? [countOf(failed, 'error')] : [])].join(', ');
}

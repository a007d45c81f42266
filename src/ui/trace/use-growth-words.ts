import { useEffect, useRef, useState } from 'react';
import { countOf } from '../format/count.ts';

/** Who listens to a page is told no more often. */
const LEAST_PAUSE_MS = 5000;

/** How a trace, or a list, has grown since it was last said, for who does not see it. */
export function useGrowthWords(calls: number, errors: number): string {
  const said = useRef({ calls, errors });
  const newest = useRef({ calls, errors });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [words, setWords] = useState('');
  useEffect(() => {
    newest.current = { calls, errors };
    // What left is not said, and does not hide what comes.
    if (calls < said.current.calls) said.current = newest.current;
    if (timer.current !== undefined || calls <= said.current.calls) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      const more = newest.current.calls - said.current.calls;
      const failed = newest.current.errors - said.current.errors;
      said.current = newest.current;
      setWords([countOf(more, 'new call'), ...(failed > 0 ? [countOf(failed, 'error')] : [])].join(', '));
    }, LEAST_PAUSE_MS);
  }, [calls, errors]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return words;
}

import { useCallback, useMemo, useRef } from 'react';
import { callsOfRange } from '../filter/range.ts';
import { type FilterLanguage, useLanguage } from '../filter/use-language.ts';
import type { Wanted, WantedOptions } from './wanted-calls.ts';

export interface WantedCalls extends Wanted {
  /** The calls that the address asks for at another time. */
  readonly at: (now: number) => Wanted;
  /** Nobody knows yet what is wanted: what reads filters is on its way. */
  readonly isUnread: boolean;
  /** The reason why the filter language could not be loaded. */
  readonly error: Error | undefined;
  readonly retry: () => void;
}

/** The calls that the address asks for. A filter that makes no sense yet leaves what is shown. */
export function useWanted({ project, q, t, roots, now }: WantedOptions): WantedCalls {
  const { language, error, retry } = useLanguage(q !== '');
  const at = useCallback(
    (other: number) => wantedOf(language, { project, q, t, roots, now: other }),
    [language, project, q, t, roots],
  );
  const read = useMemo(() => at(now), [at, now]);
  const good = useRef(read);
  if (read.selection !== undefined) good.current = read;
  const { errors } = read;
  const isUnread = good.current.selection === undefined && errors.length === 0 && error === undefined;
  return { ...good.current, at, errors, isUnread, error, retry };
}

/** The calls that a filter asks for, once the filter language is there; until then there is no selection. */
function wantedOf(language: FilterLanguage | undefined, options: WantedOptions): Wanted {
  if (options.q !== '') return language?.wantedCalls(options) ?? { beyond: [], errors: [] };
  const selection = callsOfRange(options);
  return { selection, sums: selection, beyond: [], errors: [] };
}

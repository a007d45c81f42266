import { createContext, useCallback, useContext, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Codec } from './codec.ts';

interface Move {
  /** For what is typed or dragged: one step back leads over all of it. */
  readonly isReplacing?: boolean;
}

export type ChangeAddress<S> = (change: Partial<S>, move?: Move) => void;

/** The query string as it is now, whatever was rendered last. In a file it is kept in memory. */
export const CurrentSearchContext = createContext<() => string>(() => location.search);

/** State of a page in its address, and how to change it. */
export function useAddress<S>(codec: Codec<S>): readonly [S, ChangeAddress<S>] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const currentSearch = useContext(CurrentSearchContext);
  const state = useMemo(() => codec.read(search), [codec, search]);
  const change = useCallback<ChangeAddress<S>>(
    (part, move) => {
      // Read again: two changes of one event both count.
      const next = codec.write(currentSearch(), part);
      navigate(next === '' ? path : `${path}?${next}`, { replace: move?.isReplacing ?? false });
    },
    [codec, currentSearch, navigate, path],
  );
  return [state, change];
}

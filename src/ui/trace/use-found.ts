import { useDeferredValue, useMemo } from 'react';
import { findCalls, stepAmong } from './layout/find-calls.ts';
import type { Cursor } from './use-cursor.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';

export interface Found {
  readonly calls: ReadonlySet<number>;
  /** The number of the one that is selected, from 1; 0: none. */
  readonly position: number;
  readonly step: (step: 1 | -1) => void;
}

/** The calls that hold a text. Typing goes before finding. */
export function useFound({ skeleton, layout }: LaidOutTrace, text: string, cursor: Cursor): Found {
  const wanted = useDeferredValue(text);
  const found = useMemo(() => findCalls(skeleton, layout.tree, wanted), [skeleton, layout, wanted]);
  const calls = useMemo(() => new Set(found), [found]);
  return {
    calls,
    position: found.indexOf(cursor.call) + 1,
    step: (step) => {
      const next = stepAmong(found, layout.tree, cursor.call, step);
      if (next !== undefined) cursor.select(next, 'replace');
    },
  };
}

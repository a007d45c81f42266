import { useDeferredValue, useMemo } from 'react';
import type { Find } from '../controls/find-field.tsx';
import { findCalls, stepAmong } from './layout/find-calls.ts';
import type { Cursor } from './use-cursor.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';

export interface FoundCalls extends Find {
  readonly calls: ReadonlySet<number>;
  /** The text that they hold: typing may be ahead of it. */
  readonly wanted: string;
}

export interface FoundOptions {
  readonly text: string;
  readonly cursor: Cursor;
  readonly onFind: (text: string) => void;
}

/** The calls that hold a text. Typing goes before finding. */
export function useFound(trace: LaidOutTrace, { text, cursor, onFind }: FoundOptions): FoundCalls {
  const { skeleton, layout } = trace;
  const wanted = useDeferredValue(text);
  const found = useMemo(() => findCalls(skeleton, layout.tree, wanted), [skeleton, layout, wanted]);
  const calls = useMemo(() => new Set(found), [found]);
  return {
    text,
    calls,
    wanted,
    count: calls.size,
    position: found.indexOf(cursor.call) + 1,
    set: onFind,
    step: (step) => {
      const next = stepAmong(found, layout.tree, cursor.call, step);
      if (next !== undefined) cursor.select(next, 'replace');
    },
  };
}

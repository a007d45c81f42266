import { useCallback, useMemo, useState } from 'react';
import type { JsonNode } from './json-node.ts';
import { type JsonRow, JsonRows } from './json-rows.ts';
import { BrokenJson } from './scan.ts';

/** Rows that are open without being asked. */
const FIRST_ROWS = 60;

export interface OpenRows {
  readonly tree: JsonRows;
  readonly rows: readonly JsonRow[];
  readonly broken: BrokenJson | undefined;
  /** Said after "expand all" has stopped at its bound. */
  readonly isBounded: boolean;
  readonly toggle: (row: JsonRow) => void;
  readonly openAll: () => void;
  readonly closeAll: () => void;
  /** Opens the way to an offset; answers the row that shows it. */
  readonly reveal: (offset: number) => string;
}

/** The rows of a value, and what is open of it. */
export function useJsonRows(text: string, root: JsonNode): OpenRows {
  const tree = useMemo(() => new JsonRows(text, root), [text, root]);
  const [state, setState] = useState<State>({ tree, opened: undefined, isBounded: false });
  // Of another value nothing has been opened yet.
  const { opened: asked, isBounded } = state.tree === tree ? state : { opened: undefined, isBounded: false };
  const { rows, opened, broken } = useMemo(() => readRows(tree, asked), [tree, asked]);
  const open = useCallback(
    (ids: ReadonlySet<string>, bounded = false) => setState({ tree, opened: ids, isBounded: bounded }),
    [tree],
  );
  return {
    tree,
    rows,
    broken,
    isBounded,
    toggle: (row) => open(opened.has(row.id) ? without(opened, row.id) : new Set([...opened, row.id])),
    openAll: () => {
      const [first] = rows;
      if (first === undefined) return;
      const all = tree.openAll(first, opened);
      open(all.opened, !all.isWhole);
    },
    closeAll: () => open(new Set()),
    reveal: (offset) => {
      const way = tree.wayTo(offset);
      open(new Set([...opened, ...way.open]));
      return way.id;
    },
  };
}

interface State {
  readonly tree: JsonRows;
  readonly opened: ReadonlySet<string> | undefined;
  readonly isBounded: boolean;
}

interface ReadRows {
  readonly rows: readonly JsonRow[];
  readonly opened: ReadonlySet<string>;
  readonly broken: BrokenJson | undefined;
}

function readRows(tree: JsonRows, asked: ReadonlySet<string> | undefined): ReadRows {
  try {
    const opened = asked ?? tree.openFew(FIRST_ROWS);
    return { rows: tree.rowsOf(opened), opened, broken: undefined };
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    return { rows: [], opened: new Set(), broken: error };
  }
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(ids);
  rest.delete(id);
  return rest;
}

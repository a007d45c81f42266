import { useCallback, useMemo, useState } from 'react';

export interface GridState {
  /** The row that has the one tab stop. */
  readonly focused: string | undefined;
  /** The same, once somebody has gone to a row: only such a row is meant by a key. */
  readonly active: string | undefined;
  readonly selected: ReadonlySet<string>;
  readonly focus: (id: string) => void;
  /** A step in the list, clamped to its ends; what it led to. */
  readonly move: (by: number) => string | undefined;
  /** `isRange`: all from the last one that was chosen on. */
  readonly toggle: (id: string, isRange?: boolean) => void;
  readonly selectAll: () => void;
  readonly unselect: (ids: readonly string[]) => void;
  readonly clear: () => void;
}

/**
 * The rows of a list that have focus and are selected, by their ids: rows move when new ones come. A row that leaves is selected
 * no more, and one beside it gets its focus. `ids` is another array only when the list has changed.
 */
export function useGrid(ids: readonly string[]): GridState {
  const [focused, setFocused] = useState<string>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string>();
  const places = useMemo(() => new Map(ids.map((id, index) => [id, index])), [ids]);
  const [known, setKnown] = useState(ids);
  if (known !== ids) {
    setKnown(ids);
    setFocused(focused === undefined || places.has(focused) ? focused : neighbourOf(focused, known, places));
    setSelected(stillThere(selected, places));
  }
  const active = focused !== undefined && places.has(focused) ? focused : undefined;
  const here = active ?? ids[0];

  const move = useCallback(
    (by: number) => {
      const at = here === undefined ? 0 : (places.get(here) ?? 0);
      const next = ids[Math.max(0, Math.min(ids.length - 1, at + by))];
      if (next !== undefined) setFocused(next);
      return next;
    },
    [ids, places, here],
  );
  const toggle = useCallback(
    (id: string, isRange = false) => {
      // One that has left is the end of no range.
      const from = isRange && anchor !== undefined && places.has(anchor) ? anchor : undefined;
      setFocused(id);
      setAnchor(from ?? id);
      setSelected((was) => (from === undefined ? toggled(was, id) : withRange(was, ids, [from, id])));
    },
    [ids, places, anchor],
  );
  const selectAll = useCallback(() => setSelected(new Set(ids)), [ids]);
  const unselect = useCallback((done: readonly string[]) => {
    const left = new Set(done);
    setSelected((was) => new Set([...was].filter((id) => !left.has(id))));
    setAnchor((was) => (was !== undefined && left.has(was) ? undefined : was));
  }, []);
  const clear = useCallback(() => {
    setSelected(new Set());
    setAnchor(undefined);
  }, []);
  return useMemo(
    () => ({ focused: here, active, selected, focus: setFocused, move, toggle, selectAll, unselect, clear }),
    [here, active, selected, move, toggle, selectAll, unselect, clear],
  );
}

type Places = ReadonlyMap<string, number>;

/** Rows that are looked at for one beside another. Where all of them have left, the list has become another part of itself. */
const NEAR_ROWS = 100;

/**
 * The next row that is still there, or else the one right before. Where that has left, too, the list has been read again and
 * ends earlier: nothing is beside the row any more.
 */
function neighbourOf(id: string, known: readonly string[], places: Places): string | undefined {
  const at = known.indexOf(id);
  if (at < 0) return undefined;
  const before = known[at - 1];
  return (
    known.slice(at + 1, at + 1 + NEAR_ROWS).find((each) => places.has(each)) ??
    (before !== undefined && places.has(before) ? before : undefined)
  );
}

function stillThere(selected: ReadonlySet<string>, places: Places): ReadonlySet<string> {
  const left = [...selected].filter((id) => places.has(id));
  return left.length === selected.size ? selected : new Set(left);
}

function toggled(was: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(was);
  if (!next.delete(id)) next.add(id);
  return next;
}

function withRange(was: ReadonlySet<string>, ids: readonly string[], ends: readonly [string, string]) {
  const [a, b] = ends.map((id) => ids.indexOf(id)) as [number, number];
  if (a < 0 || b < 0) return was;
  return new Set([...was, ...ids.slice(Math.min(a, b), Math.max(a, b) + 1)]);
}

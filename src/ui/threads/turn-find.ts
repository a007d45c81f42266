import { useMemo } from 'react';
import type { Find } from '../controls/find-field.tsx';
import { beginningAt } from '../controls/signs/marked.tsx';
import type { CallRow } from '../data/answers.ts';

/** Turns that hold a text. */
export interface TurnFind extends Find {
  /** Places of those that hold it. */
  readonly found: readonly number[];
}

export interface TurnFindOptions {
  readonly turns: readonly CallRow[];
  readonly selected: number;
  readonly text: string;
  readonly onFind: (text: string) => void;
  readonly onSelect: (index: number) => void;
}

/** Finds turns by what was said in them, as far as a list has it, by errors and ids. */
export function useTurnFind({ turns, selected, text, onFind, onSelect }: TurnFindOptions): TurnFind {
  const found = useMemo(() => turnsWith(turns, text), [turns, text]);
  return {
    text,
    found,
    count: found.length,
    position: found.indexOf(selected) + 1,
    set: onFind,
    step: (step) => {
      const next = stepFrom(found, selected, step);
      if (next !== undefined) onSelect(next);
    },
  };
}

/** Places of the turns that hold a text, in whatever letters. */
export function turnsWith(turns: readonly CallRow[], text: string): readonly number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  // The name of an op is the same in all turns, and stands for one where nothing was said only.
  const holds = ({ id, name, input, output, error }: CallRow): boolean =>
    isId(id, wanted) || [input ?? name, output, error].some((each) => each?.toLowerCase().includes(wanted));
  return turns.flatMap((turn, index) => (holds(turn) ? index : []));
}

/** The words of the row of a turn, and the place elsewhere in it where a text was found. */
export interface FoundInTurn {
  readonly text: string;
  readonly beside?: string | undefined;
}

/** The words of a row, so that what was found in the turn is in sight. @param wanted empty where nothing was */
export function foundInTurn({ id, name, input, output, error }: CallRow, wanted: string): FoundInTurn {
  const text = input ?? name;
  const own = beginningAt(text, wanted);
  if (own !== undefined) return { text: own };
  return { text, beside: beginningAt(error, wanted) ?? beginningAt(output, wanted) ?? beginningAt(id, wanted) };
}

/** Digits that are the beginning of an id and not of any number. */
const ID_CHARACTERS = 8;

/** Is a text an id, or enough of its beginning? */
function isId(id: string, text: string): boolean {
  return id.toLowerCase() === text || (text.length >= ID_CHARACTERS && id.toLowerCase().startsWith(text));
}

/** The next of some places after one, or the one before it; round from the last to the first. */
export function stepFrom(found: readonly number[], from: number, step: 1 | -1): number | undefined {
  const next = step === 1 ? found.find((index) => index > from) : found.findLast((index) => index < from);
  return next ?? found.at(step === 1 ? 0 : -1);
}

import { FILTER_FIELDS, nameOf } from './fields.ts';

/** The field that was probably meant, as it would be written; `undefined` when none is near. */
export function nearestField(text: string): string | undefined {
  const dot = text.indexOf('.');
  const names = FILTER_FIELDS.map(({ name }) => name);
  const whole = nearestOf(text, names);
  if (whole !== undefined || dot < 0) return whole;
  const roots = FILTER_FIELDS.flatMap((field) => ('path' in field ? [field.name] : []));
  const field = nearestOf(text.slice(0, dot), roots);
  return field === undefined ? undefined : nameOf({ field, path: text.slice(dot + 1) });
}

/** Other words for fields, of those who know other tools, and full words. */
const SYNONYMS: Readonly<Record<string, string>> = {
  attribute: 'attr',
  attributes: 'attr',
  inputs: 'input',
  outputs: 'output',
  exception: 'error',
  duration: 'latency',
  time: 'started',
  since: 'started',
  state: 'status',
  price: 'cost',
  session: 'thread',
  type: 'kind',
  root: 'roots',
};

/** The nearest of some words, by the letters to be changed; `undefined` when all are far. */
export function nearestOf<Word extends string>(text: string, words: readonly Word[]): Word | undefined {
  const wanted = text.toLowerCase();
  const synonym = words.find((word) => Object.hasOwn(SYNONYMS, wanted) && word === SYNONYMS[wanted]);
  if (synonym !== undefined || wanted.length > MAX_LENGTH) return synonym;
  const allowed = wanted.length < 4 ? 1 : 2;
  const near = words
    .map((word) => ({ word, distance: distanceOf(wanted, word) }))
    .filter(({ word, distance }) => distance <= allowed && distance < word.length)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

/** No word of the language is longer, and distances take the product of both lengths. */
const MAX_LENGTH = 20;

/** Letters to be put in, left out, replaced, or swapped with their neighbour. */
function distanceOf(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_cell, column) => column)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      rows[row]?.push(
        Math.min(
          cell(row - 1, column) + 1,
          cell(row, column - 1) + 1,
          cell(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? cell(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return cell(from.length, to.length);
}

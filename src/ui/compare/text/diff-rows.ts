import { compareLines } from '../../../reader/compare/line-changes.ts';
import { commonWords, type Piece } from './word-changes.ts';

/** A line of one of two texts. */
export interface DiffLine {
  /** From 1. */
  readonly number: number;
  readonly pieces: readonly Piece[];
}

/** Lines side by side: the same one twice, two that differ, or one that only one side has. */
export interface DiffRow {
  readonly a: DiffLine | null;
  readonly b: DiffLine | null;
  readonly isSame: boolean;
}

/** Lines of longer stretches are paired one by one: to look for the most alike takes the square of their number. */
const MAX_PAIRINGS = 4000;
/** Lines that share less are not the same line changed. */
const LEAST_ALIKE = 0.3;

/** Two texts line by line; of lines that were changed, the words that differ. Absent: that side has no text. */
export function diffRows(a: string | undefined, b: string | undefined): DiffRow[] {
  if (a === undefined || b === undefined) return linesOfOne(a, b);
  const rows: DiffRow[] = [];
  const counts = { a: 0, b: 0 };
  let before: string[] = [];
  let after: string[] = [];
  const tell = (): void => {
    rows.push(...changedRows(before, after, counts));
    counts.a += before.length;
    counts.b += after.length;
    [before, after] = [[], []];
  };
  for (const { side, text } of compareLines(withoutEnd(a), withoutEnd(b))) {
    if (side === 'a') before.push(text);
    else if (side === 'b') after.push(text);
    else {
      tell();
      counts.a += 1;
      counts.b += 1;
      rows.push({ a: plain(text, counts.a), b: plain(text, counts.b), isSame: true });
    }
  }
  tell();
  return rows;
}

/** The end of the last line begins none. */
function withoutEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function linesOfOne(a: string | undefined, b: string | undefined): DiffRow[] {
  const text = a ?? b;
  const lines = text === undefined ? [] : withoutEnd(text).split('\n');
  return lines.map((line, index) => {
    const own = plain(line, index + 1);
    return { a: a === undefined ? null : own, b: a === undefined ? own : null, isSame: false };
  });
}

function plain(text: string, number: number): DiffLine {
  return { number, pieces: text === '' ? [] : [{ text, isChanged: false }] };
}

function whole(text: string, number: number): DiffLine {
  return { number, pieces: text === '' ? [] : [{ text, isChanged: true }] };
}

/** Lines between two that both have: those that are alike stand side by side, and so do the others as far as there are some. */
function changedRows(before: readonly string[], after: readonly string[], counts: { a: number; b: number }): DiffRow[] {
  const rows: DiffRow[] = [];
  const lineOfA = (index: number): DiffLine => whole(before[index] ?? '', counts.a + index + 1);
  const lineOfB = (index: number): DiffLine => whole(after[index] ?? '', counts.b + index + 1);
  let [nextA, nextB] = [0, 0];
  const tellUnlike = (endA: number, endB: number): void => {
    for (; nextA < endA || nextB < endB; nextA += Number(nextA < endA), nextB += Number(nextB < endB)) {
      rows.push({
        a: nextA < endA ? lineOfA(nextA) : null,
        b: nextB < endB ? lineOfB(nextB) : null,
        isSame: false,
      });
    }
  };
  for (const { indexA, indexB } of alikeLines(before, after)) {
    tellUnlike(indexA, indexB);
    const { a, b } = commonWords(before[indexA] ?? '', after[indexB] ?? '');
    rows.push({
      a: { number: counts.a + indexA + 1, pieces: a },
      b: { number: counts.b + indexB + 1, pieces: b },
      isSame: false,
    });
    [nextA, nextB] = [indexA + 1, indexB + 1];
  }
  tellUnlike(before.length, after.length);
  return rows;
}

interface Alike {
  readonly indexA: number;
  readonly indexB: number;
}

/** For each line the one that is most like it behind the last that was taken. */
function alikeLines(before: readonly string[], after: readonly string[]): readonly Alike[] {
  if (before.length * after.length > MAX_PAIRINGS) {
    return before.slice(0, after.length).map((_line, index) => ({ indexA: index, indexB: index }));
  }
  const words = after.map(wordsOf);
  const found: Alike[] = [];
  let next = 0;
  for (const [indexA, line] of before.entries()) {
    const own = wordsOf(line);
    const shares = words.slice(next).map((other) => likeness(own, other));
    const best = Math.max(LEAST_ALIKE, ...shares);
    const place = shares.indexOf(best);
    if (place === -1) continue;
    found.push({ indexA, indexB: next + place });
    next += place + 1;
  }
  return found;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+/gu) ?? []);
}

/** The share of words that two lines have both, from 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  const common = [...one].filter((word) => other.has(word)).length;
  return (2 * common) / (one.size + other.size);
}

import type { ReactElement } from 'react';

export interface MarkedProps {
  readonly text: string;
  /** The words that are marked in it, in whatever letters; empty: none. */
  readonly wanted: string;
}

/** A text in which what was found is marked, and nothing else. */
export function Marked({ text, wanted }: MarkedProps): ReactElement {
  const pattern = patternOf(wanted);
  if (pattern === undefined) return <>{text}</>;
  // A group among separators is kept: every other piece is one that was found.
  return <>{text.split(pattern).map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}</>;
}

/** So much before what was found tells where it stands. */
const BEFORE = 12;

/** Longer lines are cut anyway. */
const MOST = 200;

/** A text in one line, from where what was found in it is in sight; `undefined`: it is not in it. */
export function beginningAt(text: string | undefined | null, wanted: string): string | undefined {
  const pattern = patternOf(wanted);
  const line = text?.replaceAll(/\s+/g, ' ') ?? '';
  const at = pattern === undefined ? -1 : line.search(pattern);
  if (at < 0) return undefined;
  if (at <= 2 * BEFORE) return line.slice(0, MOST).toWellFormed();
  return `…${line.slice(at - BEFORE, at + MOST).toWellFormed()}`;
}

function patternOf(wanted: string): RegExp | undefined {
  const words = wanted.trim().replaceAll(/\s+/g, ' ');
  return words === '' ? undefined : new RegExp(`(${words.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')})`, 'iu');
}

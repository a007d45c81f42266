import type { ValueChange } from '../../../reader/compare/value-changes.ts';
import { shortenFiles, shortFileText } from '../file-marker.ts';
import { toLine } from '../plain-text.ts';

const MAX_PATH_LENGTH = 60;
const MAX_VALUE_LENGTH = 60;
/** Of two long texts so much is told before the place at which they part. */
const LEAD = 12;

/** `temperature: 0.2 → 0.9`; of long values the place at which they part. */
export function changeText(change: ValueChange): string {
  const { path, a, b } = change;
  const [before, after] = [shortFileText(a) ?? textOf(a), shortFileText(b) ?? textOf(b)];
  const start = Math.max(0, Math.min(partingOf(before, after) - LEAD, Math.max(before.length, after.length)));
  const isLong = Math.max(before.length, after.length) > MAX_VALUE_LENGTH;
  const shown = (text: string) => excerpt(text, isLong ? start : 0);
  const values = `${'a' in change ? shown(before) : 'nothing'} → ${'b' in change ? shown(after) : 'nothing'}`;
  return path.length === 0 ? values : `${pathText(path)}: ${values}`;
}

/** `messages.0.content`. */
export function pathText(path: ValueChange['path']): string {
  return toLine(path.join('.'), MAX_PATH_LENGTH);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, shortenFiles) ?? '';
}

function partingOf(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  return index;
}

function excerpt(text: string, start: number): string {
  return toLine(`${start > 0 ? '…' : ''}${text.slice(start)}`, MAX_VALUE_LENGTH);
}

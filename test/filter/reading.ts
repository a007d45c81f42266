import { expect } from 'vitest';
import { parseFilter } from '../../src/filter/parse-filter.ts';
import type { FilterError, FilterTree } from '../../src/filter/tree.ts';

/** The tree of a text that is right. */
export function treeOf(text: string): FilterTree {
  const read = parseFilter(text);
  if (Array.isArray(read)) throw new Error(`${text}: ${read.map(({ message }) => message).join('\n')}`);
  return read;
}

/** All that is wrong with a text. */
export function errorsOf(text: string): FilterError[] {
  const read = parseFilter(text);
  expect(Array.isArray(read)).toBe(true);
  return Array.isArray(read) ? read : [];
}

/** A tree as it would be without the places of its pieces. */
export function withoutSpans(value: unknown): unknown {
  const text = JSON.stringify(value, (key, each: unknown) => (key === 'span' ? undefined : each));
  return JSON.parse(text);
}

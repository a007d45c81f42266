import { expect, test } from 'vitest';
import { fieldLines } from '../../../src/cli/output/value.ts';

test('a short value stands beside its label', () => {
  expect(fieldLines('output', { a: 1 })).toEqual(['output: {"a":1}']);
  expect(fieldLines('output', 'text')).toEqual(['output: text']);
  expect(fieldLines('output', null)).toEqual(['output: null']);
});

test('a longer one is spread below it', () => {
  const lines = fieldLines('inputs', { text: 'x'.repeat(100) });
  expect(lines).toEqual(['inputs:', '  {', `    "text": "${'x'.repeat(100)}"`, '  }']);
});

test('what is left out is told', () => {
  const characters = fieldLines('output', 'x'.repeat(5000));
  expect(characters).toEqual([`output: ${'x'.repeat(4000)}`, '… 5,000 characters in all, see --json']);
  const lines = fieldLines('output', 'x\n'.repeat(100));
  expect(lines).toHaveLength(42);
  expect(lines.at(-1)).toBe('  … 200 characters in all, see --json');
});

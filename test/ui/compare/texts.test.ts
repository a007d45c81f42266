import { describe, expect, test } from 'vitest';
import { type DiffLine, type DiffRow, diffRows } from '../../../src/ui/compare/text/diff-rows.ts';
import { foldedRows } from '../../../src/ui/compare/text/folded-rows.ts';
import { commonWords, type Piece } from '../../../src/ui/compare/text/word-changes.ts';

/** Changed words in brackets. */
function told(pieces: readonly Piece[]): string {
  return pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');
}

function lineOf(line: DiffLine | null): string {
  return line === null ? '' : `${line.number} ${told(line.pieces)}`;
}

function rowsOf(rows: readonly DiffRow[]): string[] {
  return rows.map(({ a, b, isSame }) => `${lineOf(a)} ${isSame ? '=' : '|'} ${lineOf(b)}`);
}

describe('two texts line by line', () => {
  test('lines that both have stand beside each other, each with its own number', () => {
    expect(rowsOf(diffRows('one\ntwo\nthree', 'one\nnew\ntwo\nthree'))).toEqual([
      '1 one = 1 one',
      ' | 2 [new]',
      '2 two = 3 two',
      '3 three = 4 three',
    ]);
  });

  test('of a line that was changed the words are marked that the other one does not have', () => {
    expect(rowsOf(diffRows('Keep it friendly and complete.', 'Keep it short and complete.'))).toEqual([
      '1 Keep it [friendly] and complete. | 1 Keep it [short] and complete.',
    ]);
  });

  test('of several lines those that are most alike stand beside each other', () => {
    const before = 'Passages: {{passages}} follow here';
    const after = 'Search the help center first.\nPassages, newest first: {{passages}} follow here';
    expect(rowsOf(diffRows(before, after))).toEqual([
      ' | 1 [Search the help center first.]',
      '1 Passages: {{passages}} follow here | 2 Passages[, newest first]: {{passages}} follow here',
    ]);
  });

  test('lines that have nothing in common stand beside each other and are marked as wholes', () => {
    expect(rowsOf(diffRows('alpha beta', 'gamma delta'))).toEqual(['1 [alpha beta] | 1 [gamma delta]']);
  });

  test('the end of the last line begins none', () => {
    expect(rowsOf(diffRows('one\n', 'one'))).toEqual(['1 one = 1 one']);
  });

  test('a text that only one side has stands alone', () => {
    expect(rowsOf(diffRows(undefined, 'one\ntwo'))).toEqual([' | 1 one', ' | 2 two']);
    expect(rowsOf(diffRows('one', undefined))).toEqual(['1 one | ']);
    expect(diffRows(undefined, undefined)).toEqual([]);
  });

  test('of very many lines that differ those at the same place stand beside each other', () => {
    const lines = (word: string) => Array.from({ length: 300 }, (_, index) => `${word} ${index}`).join('\n');
    const rows = diffRows(lines('before'), lines('after'));
    expect(rows).toHaveLength(300);
    expect(rows.every(({ a, b }) => a?.number === b?.number)).toBe(true);
  });
});

describe('the words of a line', () => {
  test.each([
    ['a word in the middle', 'one two three', 'one 2 three', 'one [two] three', 'one [2] three'],
    ['signs are words', 'f(a)', 'f(a, b)', 'f(a)', 'f(a[, b])'],
    ['nothing', 'same', 'same', 'same', 'same'],
    ['writing without blanks', '返品は可能です', '返品は不可能です', '返品は可能です', '返品は[不]可能です'],
    ['right to left', 'كيف يمكنني', 'كيف لا يمكنني', 'كيف يمكنني', 'كيف [لا] يمكنني'],
  ])('%s', (_what, a, b, toldA, toldB) => {
    const found = commonWords(a, b);
    expect([told(found.a), told(found.b)]).toEqual([toldA, toldB]);
  });

  test('no character is lost', () => {
    for (const [a, b] of [
      ['  indented, twice ', '\tindented once'],
      ['😀 faces 😀', 'faces 😀'],
      ['', 'x '],
    ] as const) {
      const found = commonWords(a, b);
      expect(found.a.map(({ text }) => text).join('')).toBe(a);
      expect(found.b.map(({ text }) => text).join('')).toBe(b);
    }
  });

  test('a line as long as a page differs as a whole', () => {
    const long = 'word '.repeat(3000);
    expect(commonWords(long, `${long}more`).b).toHaveLength(1);
  });
});

describe('equal lines', () => {
  const rows = diffRows(
    Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n'),
    Array.from({ length: 30 }, (_, index) => (index === 15 ? 'another' : `line ${index}`)).join('\n'),
  );

  test('far from what differs are one line with their number', () => {
    const folded = foldedRows(rows, new Set());
    expect(folded.filter(({ kind }) => kind === 'gap')).toEqual([
      { kind: 'gap', from: 0, count: 12 },
      { kind: 'gap', from: 19, count: 11 },
    ]);
    expect(folded).toHaveLength(7 + 2);
  });

  test('are shown once they were opened', () => {
    const folded = foldedRows(rows, new Set([0]));
    expect(folded.slice(0, 3).map(({ kind }) => kind)).toEqual(['row', 'row', 'row']);
    expect(folded).toHaveLength(12 + 7 + 1);
  });

  test('stay where there are only a few', () => {
    const few = diffRows('a\nb\nc\nd\ne', 'a\nb\nc\nd\nE');
    expect(foldedRows(few, new Set()).every(({ kind }) => kind === 'row')).toBe(true);
  });
});

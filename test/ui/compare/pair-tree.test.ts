import { describe, expect, test } from 'vitest';
import type { PairTable } from '../../../src/ui/compare/answer/answer.ts';
import { nextDifference } from '../../../src/ui/compare/compare-actions.ts';
import { foldsOfWords, idOfPair, pairOfId, wordsOfFolds } from '../../../src/ui/compare/tree/fold-words.ts';
import { pairTree, type PairTree, pairOfCode } from '../../../src/ui/compare/tree/pair-tree.ts';
import { codeOfRun, runOfCode } from '../../../src/ui/tree/row-code.ts';
import {
  openStateOf,
  type PairView,
  revealed,
  toggledTo,
  visiblePairs,
} from '../../../src/ui/compare/tree/visible-pairs.ts';
import type { TestCall } from '../../reader/compare/traces.ts';
import { answerOf, compared, V2 } from './given-runs.ts';

const AT_FIRST: PairView = { toggled: new Set(), isOnlyChanges: false };

interface Given {
  readonly pairs: PairTable;
  readonly tree: PairTree;
}

async function given(a: TestCall, b: TestCall): Promise<Given> {
  const { answer } = await compared(a, b);
  return { pairs: answer.pairs, tree: pairTree(answer.pairs, answer.origins) };
}

/** The lines with their depths, runs with how many they are. */
function linesOf({ pairs, tree }: Given, view: PairView = AT_FIRST): string[] {
  const rows = visiblePairs(pairs, tree, view);
  return [...rows.code].map((code, row) => {
    const run = tree.runs[runOfCode(code)];
    const name = pairs.texts[pairs.op[pairOfCode(tree, code)] ?? -1] ?? '';
    return `${'.'.repeat(rows.depth[row] ?? 0)}${name}${run === undefined || code >= 0 ? '' : ` × ${run.count}`}`;
  });
}

const leaf = (op: string, output: unknown = 1): TestCall => ({ op, inputs: { of: op }, output });
const many = (count: number, output: unknown = 1): TestCall[] =>
  Array.from({ length: count }, (_, index) => ({ op: 'rerank', inputs: { index }, output }));

describe('lines of a comparison', () => {
  test('are open where something differs, and folded where nothing does', async () => {
    const quiet: TestCall = { ...leaf('quiet'), calls: [leaf('inner')] };
    const loud = (output: unknown): TestCall => ({ ...leaf('loud'), calls: [leaf('inner', output)] });
    const found = await given({ op: 'root', calls: [quiet, loud(1)] }, { op: 'root', calls: [quiet, loud(2)] });
    expect(linesOf(found)).toEqual(['root', '.quiet', '.loud', '..inner']);
    expect(openStateOf(found.pairs, found.tree, AT_FIRST, 1)).toBe(false);
  });

  test('are those that differ, with what they are below of, where only changes are wanted', async () => {
    const found = await given(answerOf(), answerOf({ plan: { op: V2 } }, [leaf('mail')]));
    expect(linesOf(found)).toEqual(['answer', '.plan', '.search', '.chat', '.mail']);
    const view = { ...AT_FIRST, isOnlyChanges: true };
    expect(linesOf(found, view)).toEqual(['answer', '.plan', '.mail']);
    expect(openStateOf(found.pairs, found.tree, view, 2)).toBeUndefined();
  });

  test('of one op that differ alike in a row are one line, until it is opened', async () => {
    const found = await given(
      { op: 'root', calls: [leaf('before'), ...many(8, 1), leaf('behind')] },
      { op: 'root', calls: [leaf('before'), ...many(8, 2), leaf('behind')] },
    );
    expect(linesOf(found)).toEqual(['root', '.before', '.rerank × 8', '.behind']);
    const opened = toggledTo(found.pairs, found.tree, new Set(), { code: codeOfRun(0), isOpen: true, isDeep: false });
    expect(linesOf(found, { ...AT_FIRST, toggled: opened })).toEqual([
      'root',
      '.before',
      '.rerank × 8',
      ...Array.from({ length: 8 }, () => '..rerank'),
      '.behind',
    ]);
  });

  test('stay apart where they are few, differ otherwise, or something below them does', async () => {
    const few = await given({ op: 'root', calls: many(5, 1) }, { op: 'root', calls: many(5, 2) });
    expect(few.tree.runs).toEqual([]);
    const deep = (output: number): TestCall[] =>
      Array.from({ length: 8 }, (_, index) => ({ op: 'rerank', inputs: { index }, calls: [leaf('inner', output)] }));
    const found = await given({ op: 'root', calls: deep(1) }, { op: 'root', calls: deep(2) });
    expect(found.tree.runs).toEqual([]);
  });

  test('are as few as their parents where there are very many', async () => {
    const deep = (output: number): TestCall[] =>
      Array.from({ length: 40 }, (_, group) => ({
        ...leaf(`group ${group}`),
        calls: Array.from({ length: 600 }, (_each, index) => leaf(`leaf ${index % 3}`, index === 0 ? output : 0)),
      }));
    const found = await given(
      { op: 'root', calls: [{ ...leaf('inner'), calls: deep(1) }] },
      { op: 'root', calls: [{ ...leaf('inner'), calls: deep(2) }] },
    );
    expect(found.pairs.count).toBe(24_042);
    expect(linesOf(found)).toHaveLength(1 + 1 + 40);
  });

  test('tell their place among their siblings and the line above', async () => {
    const { pairs, tree } = await given(answerOf(), answerOf({}, [leaf('mail')]));
    const rows = visiblePairs(pairs, tree, AT_FIRST);
    expect([...rows.parent]).toEqual([-1, 0, 0, 0, 0]);
    expect([...rows.position]).toEqual([1, 1, 2, 3, 4]);
    expect([...rows.siblings]).toEqual([1, 4, 4, 4, 4]);
  });
});

describe('what differs', () => {
  test('is walked from top to bottom and round, of what only one side has by its topmost call, of a run once', async () => {
    const found = await given(
      { op: 'root', calls: [leaf('first', 1), leaf('alike'), ...many(7, 1)] },
      {
        op: 'root',
        calls: [leaf('first', 2), leaf('alike'), ...many(7, 2), { ...leaf('new'), calls: [leaf('inner')] }],
      },
    );
    const names = [...found.tree.differences].map(
      (code) => `${found.pairs.texts[found.pairs.op[pairOfCode(found.tree, code)] ?? -1]} ${Math.sign(code)}`,
    );
    expect(names).toEqual(['first 1', 'rerank -1', 'new 1']);
    const [first = 0, run = 0, last = 0] = found.tree.differences;
    expect(nextDifference(found.tree, first, 1)).toBe(run);
    expect(nextDifference(found.tree, last, 1)).toBe(first);
    expect(nextDifference(found.tree, first, -1)).toBe(last);
    // From a line that does not differ.
    expect(nextDifference(found.tree, first + 1, 1)).toBe(run);
    expect(nextDifference(found.tree, first + 1, -1)).toBe(first);
  });

  test('may have no next one', async () => {
    const { tree } = await given(answerOf(), answerOf());
    expect(nextDifference(tree, 0, 1)).toBeUndefined();
    expect(nextDifference(tree, 0, -1)).toBeUndefined();
  });

  test('is counted above by its causes', async () => {
    const { tree } = await given(answerOf(), answerOf({ plan: { op: V2 }, search: { output: ['doc-2'] } }));
    expect(tree.causesBelow[0]).toBe(2);
    expect(tree.causesBelow[1]).toBe(0);
  });
});

describe('a line', () => {
  test('that is hidden is revealed with the run and the calls that hide it', async () => {
    const quiet: TestCall = { ...leaf('quiet'), calls: many(8) };
    const found = await given({ op: 'root', calls: [quiet] }, { op: 'root', calls: [quiet] });
    expect(linesOf(found)).toEqual(['root']);
    const toggled = revealed(found.pairs, found.tree, new Set(), 4);
    expect(linesOf(found, { ...AT_FIRST, toggled })).toEqual([
      'root',
      '.quiet',
      '..rerank × 8',
      ...Array.from({ length: 8 }, () => '...rerank'),
    ]);
    expect(revealed(found.pairs, found.tree, toggled, 4)).toBe(toggled);
  });

  test('is folded and opened with all below it', async () => {
    const quiet: TestCall = { ...leaf('quiet'), calls: [{ ...leaf('inner'), calls: [leaf('innermost')] }] };
    const found = await given({ op: 'root', calls: [quiet] }, { op: 'root', calls: [quiet] });
    const opened = toggledTo(found.pairs, found.tree, new Set(), { code: 0, isOpen: true, isDeep: true });
    expect(linesOf(found, { ...AT_FIRST, toggled: opened })).toEqual(['root', '.quiet', '..inner', '...innermost']);
    const folded = toggledTo(found.pairs, found.tree, opened, { code: 0, isOpen: false, isDeep: true });
    expect(folded.size).toBe(0);
  });
});

describe('an address', () => {
  test('names pairs by the call of B, or of A where B has none', async () => {
    const { pairs } = await given(answerOf({}, [leaf('draft')]), answerOf({}, []));
    expect(pairOfId(pairs, idOfPair(pairs, 1))).toBe(1);
    expect(idOfPair(pairs, 1)).toBe(pairs.b.ids[1]);
    expect(idOfPair(pairs, 4)).toBe(pairs.a.ids[4]);
    expect(pairOfId(pairs, pairs.a.ids[1] ?? '')).toBe(1);
    expect(pairOfId(pairs, '')).toBe(-1);
    expect(pairOfId(pairs, 'nothing')).toBe(-1);
  });

  test('keeps what was opened and folded, pairs and runs', async () => {
    const { pairs, tree } = await given({ op: 'root', calls: many(8, 1) }, { op: 'root', calls: many(8, 2) });
    const toggled = new Set([0, codeOfRun(0)]);
    expect(foldsOfWords(pairs, tree, wordsOfFolds(pairs, tree, toggled))).toEqual(toggled);
    expect(foldsOfWords(pairs, tree, ['nothing', 'nothing*', `${idOfPair(pairs, 0)}*`])).toEqual(new Set());
    expect(wordsOfFolds(pairs, tree, new Set(Array.from({ length: 31 }, (_, index) => index)))).toEqual([]);
  });
});

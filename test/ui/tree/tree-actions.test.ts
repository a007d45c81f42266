import { describe, expect, test } from 'vitest';
import { treeActions } from '../../../src/ui/tree/tree-actions.ts';
import { RowList } from '../../../src/ui/tree/visible-rows.ts';

/** Lines `10` with `11` and `12` under it, and `20`. */
function lines() {
  const rows = new RowList();
  const top = rows.add(10, -1);
  rows.add(11, top);
  rows.add(12, top);
  rows.add(20, -1);
  return rows.finish();
}

function actionsAt(code: number, isOpen?: boolean) {
  const done: string[] = [];
  const cursor = {
    code,
    select: (line: number, step = 'push') => void done.push(`select ${line} ${step}`),
    toggle: (line: number, isWanted: boolean, isDeep: boolean) =>
      void done.push(`${isWanted ? 'open' : 'fold'} ${line}${isDeep ? ' with all below' : ''}`),
  };
  return { run: treeActions({ rows: lines(), cursor, isOpen: () => isOpen }), done };
}

describe('moves', () => {
  test.each([
    [11, 1, 12],
    [11, -1, 10],
    [11, 20, 20],
    [11, -20, 10],
  ])('from line %i by %i to %i', (from, by, to) => {
    const { run, done } = actionsAt(from);
    run.move(by);
    expect(done).toEqual([`select ${to} replace`]);
  });

  test('from a line that is folded away to the top first', () => {
    const { run, done } = actionsAt(99);
    run.move(1);
    run.move(-1);
    expect(done).toEqual(['select 10 replace', 'select 10 replace']);
  });

  test('to both ends, and to the line above', () => {
    const { run, done } = actionsAt(12);
    run.moveTo('first');
    run.moveTo('last');
    run.toParent();
    expect(done).toEqual(['select 10 replace', 'select 20 replace', 'select 10 replace']);
  });

  test('nowhere from the top upwards', () => {
    const { run, done } = actionsAt(20);
    run.toParent();
    run.fold(false, false);
    expect(done).toEqual([]);
  });
});

test.each([
  ['opens what is folded', 10, false, true, false, 'open 10'],
  ['leads from what is open to its first line', 10, true, true, false, 'select 11 replace'],
  ['folds what is open', 10, true, false, false, 'fold 10'],
  ['leads from what is folded to the line above', 12, false, false, false, 'select 10 replace'],
  ['leads from what holds nothing to the line above', 11, undefined, false, false, 'select 10 replace'],
  ['opens with all below what is open already', 10, true, true, true, 'open 10 with all below'],
] as const)('a fold %s', (_what, code, isOpen, isWanted, isDeep, expected) => {
  const { run, done } = actionsAt(code, isOpen);
  run.fold(isWanted, isDeep);
  expect(done).toEqual([expected]);
});

import type { RoundResult } from './rounds.ts';

/** One round, with what went wrong in lines of its own. */
export function lineOf({
  way,
  durability,
  runMs,
  recorded,
  lost,
  doubled,
  problems,
  said,
  mayLose,
}: RoundResult): string {
  const moment = said === undefined ? '' : `, ${said}`;
  const fate = mayLose ? ', without a moment to write everything' : '';
  return [
    `${way} after ${runMs} ms, durability ${durability}${moment}${fate}, ${recorded} calls, ${lost.length} lost`,
    ...problems.map((problem) => `  ✗ ${problem}`),
    ...(doubled.length > 0 ? [`  ✗ doubled: ${doubled.join(' ')}`] : []),
  ].join('\n');
}

/** A table of the ways to end, those without a moment to write everything apart, and the sums. */
export function summaryOf(results: readonly RoundResult[]): { readonly text: string; readonly isGood: boolean } {
  const others = results.filter(({ mayLose }) => !mayLose);
  const problems = sum(results, ({ problems: found }) => found.length);
  const doubled = sum(results, ({ doubled: ids }) => ids.length);
  const rows = [...groupsOf(results)]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([kind, list]) => rowOf(kind, list));
  const text = [
    '| Way to end | Rounds | Calls | Lost |',
    '|---|---|---|---|',
    ...rows,
    rowOf('with a moment to write everything, or written ahead', others),
    rowOf(
      'without',
      results.filter(({ mayLose }) => mayLose),
    ),
    `${doubled} doubled · ${problems} problems`,
  ].join('\n');
  return { text, isGood: problems === 0 && doubled === 0 && lostIn(others) === 0 };
}

function groupsOf(results: readonly RoundResult[]): ReadonlyMap<string, readonly RoundResult[]> {
  const groups = new Map<string, RoundResult[]>();
  for (const result of results) {
    const kind = kindOf(result);
    groups.set(kind, [...(groups.get(kind) ?? []), result]);
  }
  return groups;
}

const MOMENTS = {
  none: 'killed before its handlers',
  part: 'killed in its handlers',
  whole: 'killed after its handlers',
};

function kindOf({ way, durability, moment }: RoundResult): string {
  return `${way}, ${durability}${moment === undefined ? '' : `, ${MOMENTS[moment]}`}`;
}

function rowOf(kind: string, results: readonly RoundResult[]): string {
  return `| ${kind} | ${results.length} | ${sum(results, ({ recorded }) => recorded)} | ${lostIn(results)} |`;
}

function lostIn(results: readonly RoundResult[]): number {
  return sum(results, ({ lost }) => lost.length);
}

function sum(results: readonly RoundResult[], countOf: (result: RoundResult) => number): number {
  return results.reduce((total, result) => total + countOf(result), 0);
}

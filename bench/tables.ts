import { type Goal, scoresOf } from './goals.ts';
import type { Results, Row, Spread } from './results.ts';

export type Table = readonly (readonly string[])[];

/** What the library is held to, and how far it is. */
export function mainTable(results: Results): Table {
  const rows = scoresOf(results).map(({ goal, own, value, isReached }) => [
    goal.title,
    goal.unit,
    spreadText(own),
    goal.of === undefined ? '' : `${printed(value)} × ${goal.of}`,
    limitText(goal),
    isReached ? 'yes' : 'no',
  ]);
  return [['What', 'Unit', 'Spoor', 'Compared', 'To reach', 'Reached'], ...rows];
}

function limitText({ atMost, atLeast, of }: Goal): string {
  const limit = atMost === undefined ? `≥ ${printed(atLeast ?? 0)}` : `≤ ${printed(atMost)}`;
  return of === undefined ? limit : `${limit} × ${of}`;
}

/** All libraries on one workload, the best by the first figure first. */
export function workloadTable(results: Results, workload: string, figures: Readonly<Record<string, string>>): Table {
  const [first = ''] = Object.keys(figures);
  const sign = first.endsWith('PerSec') ? -1 : 1;
  const order = (row: Row) => sign * (row.figures[first]?.median ?? 0);
  const rows = results.rows
    .filter((row) => row.workload === workload)
    .toSorted((one, other) => order(one) - order(other))
    .map((row) => [row.adapter, ...Object.keys(figures).map((figure) => cellOf(row.figures[figure]))]);
  return [['', ...Object.values(figures)], ...rows];
}

function cellOf(spread: Spread | undefined): string {
  return spread === undefined ? '–' : spreadText(spread);
}

export function spreadText({ min, median, max }: Spread): string {
  return min === max ? printed(median) : `${printed(median)} (${printed(min)}–${printed(max)})`;
}

/** Three digits: no more are the same in two runs. */
export function printed(value: number): string {
  const short = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return short.toLocaleString('en-US', { maximumSignificantDigits: 21 });
}

/** For a terminal. */
export function textOf(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

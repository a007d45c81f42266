import { spreadText, printed, type Table } from '../tables.ts';
import { type Budget, BUDGETS, excessOf, TOLERANCE } from './budgets.ts';
import type { PageRun } from './history.ts';

/** What pages are held to, and how far they are; what a run left out is left out. */
export function budgetTable({ figures }: Pick<PageRun, 'figures'>): Table {
  const rows = BUDGETS.flatMap((budget) => {
    const spread = figures[budget.figure];
    if (spread === undefined) return [];
    const isMet = excessOf(budget, spread.median) <= 0;
    const limit = limitText(budget);
    return [[budget.title, budget.unit, spreadText(spread), limit, limit === '' ? '' : isMet ? 'yes' : 'no']];
  });
  return [['What', 'Unit', 'Measured', 'Budget', 'Met'], ...rows];
}

/** Budgets that a run is further above than two runs differ. */
export function brokenBudgets({ figures }: Pick<PageRun, 'figures'>): Budget[] {
  return BUDGETS.filter((budget) => {
    const spread = figures[budget.figure];
    return spread !== undefined && excessOf(budget, spread.median) > TOLERANCE;
  });
}

function limitText({ atMost, atLeast }: Budget): string {
  if (atMost !== undefined) return `≤ ${printed(atMost)}`;
  return atLeast === undefined ? '' : `≥ ${printed(atLeast)}`;
}

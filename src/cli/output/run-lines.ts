import type { Run } from '../../protocol/page/run.ts';
import type { Column } from './column.ts';
import { durationColumn, timeColumn } from './columns.ts';
import { formatMoney } from './money.ts';
import { formatCount } from './numbers.ts';
import { toLine } from './plain-text.ts';
import { tableLines } from './table.ts';

/** A table of runs in so much room. @default what the terminal has */
export function runLines(rows: readonly Run[], room?: number): string[] {
  return tableLines(rows, COLUMNS, room);
}

const COLUMNS: readonly Column<Run>[] = [
  timeColumn((run) => run.first_call_at, 'began'),
  { head: 'entry op', cell: (run) => toLine(run.entry_op, 48), least: 12 },
  { head: 'commit', cell: commitText, rank: 2 },
  { head: 'calls', cell: (run) => countText(run.calls), isRight: true },
  { head: 'failed', cell: (run) => countText(run.errors), isRight: true },
  { head: 'tokens', cell: (run) => (run.tokens === 0 ? '' : countText(run.tokens)), isRight: true, rank: 4 },
  { head: 'cost', cell: costText, isRight: true, rank: 3 },
  { ...durationColumn<Run>((run) => run.duration_ms), rank: 1 },
  { head: 'host', cell: (run) => toLine(run.host ?? '', 24), least: 8, rank: 5 },
  { head: 'run', cell: (run) => toLine(run.id) },
];

/** With a plus where files were changed, and a question mark where nobody knows. */
function commitText({ commit, is_dirty: isDirty }: Run): string {
  if (commit === null) return '';
  return `${toLine(commit.slice(0, 8))}${isDirty === null ? '?' : isDirty ? '+' : ''}`;
}

/** A question mark where the service has not added up the calls in time. */
function countText(count: number | null): string {
  return count === null ? '?' : formatCount(count);
}

function costText({ calls, cost, unpriced_models: unpriced }: Run): string {
  if (calls === null) return '?';
  if (cost === null) return unpriced.length === 0 ? '' : 'no price';
  return `${unpriced.length === 0 ? '' : '≥ '}${formatMoney(cost, 'USD')}`;
}

import { TracingError } from '../../protocol/error.ts';
import { CallRow } from '../../protocol/page/call-row.ts';
import type { CallsExportRequest } from '../../protocol/page/calls-export.ts';
import { checkProject } from '../keys/authenticate.ts';
import { parseCallsQuery } from '../query/plan/calls-query.ts';
import { streamRows } from '../query/rows/call-rows.ts';
import { streamWholeCalls } from '../query/rows/whole-calls.ts';
import type { RowSources } from '../query/rows/row-sources.ts';
import type { ReadContext } from '../query/read/read-calls.ts';
import { csvLine } from './csv.ts';

const NEWEST_FIRST = [
  { field: 'started_at', direction: 'desc' as const },
  { field: 'id', direction: 'desc' as const },
];

export const EXPORT_TYPES = { jsonl: 'application/jsonl', csv: 'text/csv; charset=utf-8' } as const;

/** All calls of a selection as lines, the newest first. */
export async function* exportCalls(
  sources: RowSources,
  { format, columns, whole, ...selection }: CallsExportRequest,
  context: ReadContext,
): AsyncGenerator<string> {
  checkProject(context.caller, selection.project_id);
  if (whole === true) {
    if (format !== 'jsonl' || columns?.length) throw notWhole();
    const query = parseCallsQuery({ project_id: selection.project_id, sort_by: NEWEST_FIRST }, context);
    for await (const lines of streamWholeCalls(sources, selection, query, context)) yield `${lines.join('\n')}\n`;
    return;
  }
  const names = columnsOf(columns ?? undefined);
  // A selection that makes no sense is refused before anything is sent.
  let head = format === 'csv' ? csvLine(names) : '';
  for await (const rows of streamRows(sources, selection, context)) {
    yield head + rows.map((row) => (format === 'csv' ? csvLine(cellsOf(row, names)) : jsonLine(row, names))).join('');
    head = '';
  }
  if (head !== '') yield head;
}

const COLUMNS = Object.keys(CallRow.properties);

function columnsOf(asked: readonly string[] | undefined): readonly string[] {
  const unknown = asked?.find((name) => !COLUMNS.includes(name));
  if (unknown === undefined) return asked?.length ? asked : COLUMNS;
  const known = COLUMNS.join(', ');
  throw new TracingError('invalid_field', `Cannot export the column "${unknown.slice(0, 200)}": want some of ${known}`);
}

function notWhole(): TracingError {
  return new TracingError(
    'invalid_request',
    'Cannot export whole calls so: they have no columns, and are lines of JSON',
  );
}

function cellsOf(row: CallRow, names: readonly string[]): unknown[] {
  const cells: Readonly<Record<string, unknown>> = row;
  return names.map((name) => cells[name]);
}

function jsonLine(row: CallRow, names: readonly string[]): string {
  const cells: Readonly<Record<string, unknown>> = row;
  return `${JSON.stringify(Object.fromEntries(names.map((name) => [name, cells[name]])))}\n`;
}

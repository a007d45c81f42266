import { TracingError } from '../../protocol/error.ts';
import type { Field, IntegerColumn, JsonColumn, TextColumn, TimeColumn } from '../../storage/plan.ts';

const TEXT_COLUMNS: readonly string[] = [
  'id',
  'project_id',
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'exception',
  'svc_user_id',
  'svc_run_id',
] satisfies TextColumn[];
const TIME_COLUMNS: readonly string[] = ['started_at', 'ended_at', 'deleted_at'] satisfies TimeColumn[];
const INTEGER_COLUMNS: readonly string[] = ['svc_run_step', 'svc_run_step_end'] satisfies IntegerColumn[];
const JSON_COLUMNS: readonly string[] = ['attributes', 'inputs', 'output', 'summary'] satisfies JsonColumn[];

/** Reads a field path of a query or a sort; throws `invalid_field` for what cannot be asked about. */
export function parseField(path: string): Field {
  const [column = '', ...rest] = splitPath(path);
  if (isJsonColumn(column))
    return column === 'summary' && rest[0] === 'svc' ? computed(path, rest) : json(column, rest);
  if (column === 'feedback' || path.startsWith('feedback.[')) {
    throw invalidField(path, 'feedback is not stored by this version');
  }
  if (column === 'storage_size_bytes' || column === 'total_storage_size_bytes') {
    throw invalidField(path, 'sizes are computed after the selection');
  }
  const field = rest.length === 0 ? plainColumn(column) : undefined;
  if (field === undefined) throw invalidField(path, 'calls have no such field');
  return field;
}

/** Splits at dots; `\.` is a dot inside a part. */
export function splitPath(path: string): string[] {
  const parts = [''];
  for (const piece of path.match(/\\\.|[^]/g) ?? []) {
    if (piece === '.') parts.push('');
    else parts.push((parts.pop() ?? '') + (piece === '\\.' ? '.' : piece));
  }
  return parts;
}

function plainColumn(column: string): Field | undefined {
  if (isTextColumn(column)) return { kind: 'text', column };
  if (isTimeColumn(column)) return { kind: 'time', column };
  if (isIntegerColumn(column)) return { kind: 'integer', column };
  return undefined;
}

/** What the server adds to a summary; the rest of its namespace is not a field. */
function computed(path: string, [, name, ...more]: readonly string[]): Field {
  if (more.length === 0) {
    if (name === 'status' || name === 'trace_name') return { kind: 'text', column: name };
    if (name === 'latency_ms') return { kind: 'integer', column: name };
  }
  throw invalidField(path, 'of the computed summary there are status, latency_ms and trace_name');
}

function json(column: JsonColumn, path: readonly string[]): Field {
  return { kind: 'json', column, path };
}

function isTextColumn(column: string): column is TextColumn {
  return TEXT_COLUMNS.includes(column);
}

function isTimeColumn(column: string): column is TimeColumn {
  return TIME_COLUMNS.includes(column);
}

function isIntegerColumn(column: string): column is IntegerColumn {
  return INTEGER_COLUMNS.includes(column);
}

function isJsonColumn(column: string): column is JsonColumn {
  return JSON_COLUMNS.includes(column);
}

function invalidField(path: string, reason: string): TracingError {
  return new TracingError('invalid_field', `Cannot use field "${path.slice(0, 200)}": ${reason}`);
}

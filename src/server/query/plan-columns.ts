import { TracingError } from '../../protocol/error.ts';
import type { Limits } from '../../protocol/limits.ts';
import type { JsonColumn } from '../../storage/plan.ts';
import { splitPath } from './field-path.ts';

const BODIES: readonly JsonColumn[] = ['attributes', 'inputs', 'output', 'summary'];

const PLAIN_COLUMNS: readonly string[] = [
  'id',
  'project_id',
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'started_at',
  'ended_at',
  'exception',
  'svc_user_id',
  'svc_run_id',
  'svc_run_step',
  'svc_run_step_end',
  'deleted_at',
  'storage_size_bytes',
  'total_storage_size_bytes',
];

/** The bodies that the named columns need; none named means all. A dotted path needs its whole field. */
export function planBodies(columns: readonly string[], limits: Limits): ReadonlySet<JsonColumn> {
  if (columns.length > limits.columns) {
    throw new TracingError('too_many_items', `Cannot select columns: there are more than ${limits.columns}`);
  }
  if (columns.length === 0) return new Set(BODIES);
  const fields = new Set(columns.map(topLevelField));
  return new Set(BODIES.filter((body) => fields.has(body)));
}

function topLevelField(column: string): string {
  const [field = '', ...rest] = splitPath(column);
  const isBody = (BODIES as readonly string[]).includes(field);
  if (isBody || (PLAIN_COLUMNS.includes(field) && rest.length === 0)) return field;
  throw new TracingError('invalid_field', `Cannot select column "${column.slice(0, 200)}": calls have no such field`);
}

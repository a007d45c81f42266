import type { IntegerColumn, JsonColumn, TextColumn, TimeColumn } from '../../../storage/contract/plan.ts';

/** The columns of calls by what they hold; the computed ones are not among them. */
export const TEXT_COLUMNS = [
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
] as const satisfies TextColumn[];
/** Asked about and never shown: calls are shown as the interface has it. */
export const HIDDEN_COLUMNS = ['process_run'] as const satisfies TextColumn[];
export const TIME_COLUMNS = ['started_at', 'ended_at', 'deleted_at'] as const satisfies TimeColumn[];
export const INTEGER_COLUMNS = ['svc_run_step', 'svc_run_step_end'] as const satisfies IntegerColumn[];
export const JSON_COLUMNS = ['attributes', 'inputs', 'output', 'summary'] as const satisfies JsonColumn[];
/** Found out after the selection, so that they can be shown and not asked about. */
export const SIZE_COLUMNS = ['storage_size_bytes', 'total_storage_size_bytes'] as const;

/** Is the name one of these columns? */
export function isOneOf<Name extends string>(columns: readonly Name[], name: string): name is Name {
  return (columns as readonly string[]).includes(name);
}

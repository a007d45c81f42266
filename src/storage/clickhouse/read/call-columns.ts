import type { StoredCall } from '../../contract/calls.ts';
import type { JsonColumn } from '../../contract/plan.ts';

/** Columns of a call that every read gives, in the words of the contract. The table is named `c` everywhere. */
const NARROW: readonly string[] = [
  'c.id AS id',
  'c.op_name AS op_name',
  "nullIf(c.display_name, '') AS display_name",
  'c.trace_id AS trace_id',
  'c.parent_id AS parent_id',
  'c.thread_id AS thread_id',
  'c.turn_id AS turn_id',
  'c.started_at AS started_at',
  'c.ended_at AS ended_at',
  "nullIf(c.exception, '') AS exception",
  'c.user_id AS svc_user_id',
  'c.run_id AS svc_run_id',
  'c.run_step AS svc_run_step',
  'c.run_step_end AS svc_run_step_end',
  'c.process_run AS process_run',
];

const BODIES: readonly (readonly [JsonColumn, name: string])[] = [
  ['attributes', 'attributes'],
  ['inputs', 'inputs'],
  ['output', 'output'],
  ['summary', 'summary'],
  ['attributes', 'otel_dump'],
];

/** The columns of calls with these bodies; the others are left out. */
export function callColumns(bodies: ReadonlySet<JsonColumn>): string {
  const wanted = BODIES.filter(([column]) => bodies.has(column));
  return [...NARROW, ...wanted.map(([, name]) => `nullIf(c.${name}, '') AS ${name}`)].join(', ');
}

/** A row of `callColumns`. */
export type CallRow = Omit<StoredCall, 'project_id' | JsonColumn | 'otel_dump'> &
  Partial<Pick<StoredCall, JsonColumn | 'otel_dump'>>;

/** Rows of JSON have whole numbers as numbers: times of the contract are exact ones. */
export function storedCall(projectId: string, row: CallRow): StoredCall {
  return {
    project_id: projectId,
    id: row.id,
    op_name: row.op_name,
    display_name: row.display_name,
    trace_id: row.trace_id,
    parent_id: row.parent_id,
    thread_id: row.thread_id,
    turn_id: row.turn_id,
    started_at: row.started_at,
    ended_at: row.ended_at,
    exception: row.exception,
    attributes: row.attributes ?? null,
    inputs: row.inputs ?? null,
    output: row.output ?? null,
    summary: row.summary ?? null,
    otel_dump: row.otel_dump ?? null,
    svc_user_id: row.svc_user_id,
    svc_run_id: row.svc_run_id,
    svc_run_step: row.svc_run_step,
    svc_run_step_end: row.svc_run_step_end,
    // Empty where none is known.
    ...(row.process_run && { process_run: row.process_run }),
  };
}

/** Where a call is: what its body is read by. */
export interface CallKey {
  readonly id: string;
  readonly started_at: number;
  readonly bytes: number;
}

export const KEY_COLUMNS = 'c.id AS id, c.started_at AS started_at, c.body_bytes AS bytes';

/** The part of a time that the primary key of calls has. */
export function minuteOf(startedAt: number): number {
  return Math.trunc(startedAt / 60_000_000);
}

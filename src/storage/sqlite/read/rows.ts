import type { JsonColumn } from '../../contract/plan.ts';
import type { StoredCall } from '../../contract/calls.ts';
import type { StoredFile } from '../../contract/files.ts';
import type { Row } from '../driver.ts';
import { numberOf, textOf, textOfBlob } from './text.ts';

const BODY_COLUMNS: Readonly<Record<JsonColumn, string>> = {
  attributes: 's.attributes, s.otel_dump',
  inputs: 's.inputs',
  output: 'e.output',
  summary: 'e.summary',
};

/** The texts that a row has the numbers of. */
export interface NamesOfCall {
  readonly opName: string;
  /** The run of its process; `undefined` where none is known. */
  readonly run: string | undefined;
}

/** A call and the named bodies. Texts that may hold NUL are selected as blobs, steps as the numbers they came as. */
export function callColumns(bodies: readonly JsonColumn[]): string {
  const columns = `c.id, c.op, CAST(c.display_name AS BLOB) AS display_name, c.trace_id, c.parent_id,
    CAST(c.thread_id AS BLOB) AS thread_id, CAST(c.turn_id AS BLOB) AS turn_id, c.started_at, c.ended_at,
    CAST(c.exception AS BLOB) AS exception, CAST(c.user AS BLOB) AS user, CAST(c.run AS BLOB) AS run,
    CAST(c.step AS REAL) AS step, CAST(c.step_end AS REAL) AS step_end, c.process`;
  return [columns, ...bodies.map((body) => BODY_COLUMNS[body])].join(', ');
}

export function storedCall(row: Row, projectId: string, { opName, run }: NamesOfCall): StoredCall {
  const displayName = textOfBlob(row['display_name']);
  return {
    project_id: projectId,
    id: textOf(row['id']) ?? '',
    op_name: opName,
    display_name: displayName === '' ? null : displayName,
    trace_id: textOf(row['trace_id']) ?? '',
    parent_id: textOf(row['parent_id']),
    thread_id: textOfBlob(row['thread_id']),
    turn_id: textOfBlob(row['turn_id']),
    started_at: numberOf(row['started_at']) ?? 0,
    ended_at: numberOf(row['ended_at']),
    exception: textOfBlob(row['exception']),
    attributes: textOf(row['attributes']),
    inputs: textOf(row['inputs']),
    output: textOf(row['output']),
    summary: textOf(row['summary']),
    otel_dump: textOf(row['otel_dump']),
    svc_user_id: textOfBlob(row['user']),
    svc_run_id: textOfBlob(row['run']),
    svc_run_step: numberOf(row['step']),
    svc_run_step_end: numberOf(row['step_end']),
    ...(run !== undefined && { process_run: run }),
  };
}

export function storedFile(row: Row, projectId: string, digest: string): StoredFile {
  const bytes = row['bytes'];
  return {
    project_id: projectId,
    digest,
    name: textOfBlob(row['name']) ?? '',
    bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array(),
  };
}

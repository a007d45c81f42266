import { callStatus } from '../../../protocol/call-summary.ts';
import { opNameOf } from '../../../protocol/ref.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { EndFact, StartFact } from '../../contract/calls.ts';
import type { CallRecord, VisibleCall } from '../../values/call-record.ts';
import { valueAtPath } from '../../values/json-path.ts';
import { kindIn, outlineOf, previewsOf, type ShownBody } from '../../values/overviews/call-outline.ts';
import { mainModelOf } from '../../values/overviews/call-usage.ts';
import { shownBody } from '../../values/overviews/read-overviews.ts';
import { isNumber } from '../../values/value.ts';
import type { Row } from '../connection.ts';

/** As they stand in a row, by the source of a name. */
const NAME_SOURCES: readonly CallRecord['nameSource'][] = ['none', 'start', 'end', 'update'];

/**
 * The row of `calls` of a call whose start has come. It is one literal, as objects of so many members that are put together are
 * slow.
 */
export function callRow(call: VisibleCall, version: bigint): Row {
  const { start, end } = call;
  const outline = outlineOf(outlinedOf(call), longPreviews(start, end));
  const bodies = [start.attributes, start.inputs, start.otel_dump, end?.output, end?.summary];
  return {
    project_id: wellFormed(start.project_id),
    id: wellFormed(start.id),
    trace_id: wellFormed(start.trace_id),
    parent_id: wellFormedOrNull(start.parent_id),
    thread_id: wellFormedOrNull(start.thread_id),
    turn_id: wellFormedOrNull(start.turn_id),
    op_name: wellFormed(start.op_name),
    op_label: wellFormed(opNameOf(start.op_name)),
    display_name: wellFormed(call.displayName ?? ''),
    name_rank: NAME_SOURCES.indexOf(call.nameSource),
    started_at: start.started_at,
    ended_at: end?.ended_at ?? null,
    exception: wellFormed(end?.exception ?? ''),
    has_child_errors: Number(end !== undefined && hasChildErrors(end)),
    user_id: wellFormed(start.svc_user_id),
    run_id: wellFormedOrNull(start.svc_run_id),
    run_step: start.svc_run_step,
    run_step_end: end?.svc_run_step_end ?? null,
    process_run: start.process_run ?? '',
    attributes: start.attributes,
    inputs: start.inputs,
    otel_dump: start.otel_dump ?? '',
    output: end?.output ?? '',
    summary: end?.summary ?? '',
    input_refs: start.input_refs.map(wellFormed),
    output_refs: end?.output_refs.map(wellFormed) ?? [],
    kind: wellFormedOrNull(outline.kind),
    error: wellFormed(outline.error ?? ''),
    error_type: wellFormedOrNull(outline.error_type),
    first_chunk_ms: outline.first_chunk_ms,
    model: wellFormedOrNull(mainModelOf(outline.usages)),
    usages: outline.usages.length === 0 ? '' : JSON.stringify(outline.usages),
    input_preview: wellFormedOrNull(outline.input),
    output_preview: wellFormedOrNull(outline.output),
    revision: end?.revision ?? 0,
    body_bytes: bytesOf(bodies),
    is_odd: Number(bodies.some(isOdd)),
    ver: String(version),
    is_deleted: 0,
  };
}

/** The parts of a call that an outline is made of. */
function outlinedOf({ start, end, displayName }: VisibleCall): Parameters<typeof outlineOf>[0] {
  return {
    id: start.id,
    trace_id: start.trace_id,
    parent_id: start.parent_id,
    thread_id: start.thread_id,
    op_name: start.op_name,
    display_name: displayName,
    started_at: start.started_at,
    ended_at: end?.ended_at ?? null,
    exception: end?.exception ?? null,
    attributes: start.attributes,
    summary: end?.summary ?? null,
    kind: kindIn(start.attributes),
  };
}

/** Characters of a body of which no preview is kept: it would take as much room, and is made when it is read. */
const SHORT_CHARACTERS = 4096;

function longPreviews(start: StartFact, end: EndFact | undefined): ReturnType<typeof previewsOf> {
  return previewsOf(longBody(start.inputs), longBody(end?.output ?? null));
}

function longBody(text: string | null): ShownBody {
  return shownBody(text === null || text.length <= SHORT_CHARACTERS ? null : text);
}

/** The columns of an end, which halves have, too. */
function endColumns(end: EndFact): Row {
  return {
    ended_at: end.ended_at,
    exception: wellFormed(end.exception ?? ''),
    run_step_end: end.svc_run_step_end,
    output: end.output ?? '',
    summary: end.summary,
    output_refs: end.output_refs.map(wellFormed),
    revision: end.revision,
  };
}

/** A row of `callRow` as it is read; columns are those of the table. */
export interface WholeRow {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly thread_id: string | null;
  readonly turn_id: string | null;
  readonly op_name: string;
  readonly display_name: string;
  readonly name_rank: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly exception: string;
  readonly user_id: string;
  readonly run_id: string | null;
  readonly run_step: number | null;
  readonly run_step_end: number | null;
  readonly process_run: string;
  readonly attributes: string;
  readonly inputs: string;
  readonly otel_dump: string;
  readonly output: string;
  readonly summary: string;
  readonly input_refs: readonly string[];
  readonly output_refs: readonly string[];
  readonly revision: number;
  readonly ver: string;
}

export const WHOLE_COLUMNS = `c.id AS id, c.trace_id AS trace_id, c.parent_id AS parent_id, c.thread_id AS thread_id,
c.turn_id AS turn_id, c.op_name AS op_name, c.display_name AS display_name, c.name_rank AS name_rank,
c.started_at AS started_at, c.ended_at AS ended_at, c.exception AS exception, c.user_id AS user_id, c.run_id AS run_id,
c.run_step AS run_step, c.run_step_end AS run_step_end, c.process_run AS process_run, c.attributes AS attributes, c.inputs AS inputs,
c.otel_dump AS otel_dump, c.output AS output, c.summary AS summary, c.input_refs AS input_refs,
c.output_refs AS output_refs, c.revision AS revision, toString(c.ver) AS ver`;

export function recordOfRow(projectId: string, row: WholeRow): VisibleCall {
  const nameSource = NAME_SOURCES[row.name_rank] ?? 'none';
  return {
    id: row.id,
    start: startOfRow(projectId, row),
    ...(row.ended_at !== null && { end: endOfRow(projectId, row.ended_at, row) }),
    displayName: nameSource === 'none' ? null : row.display_name,
    nameSource,
    isDeleted: false,
  };
}

function startOfRow(projectId: string, row: WholeRow): StartFact & { readonly trace_id: string } {
  return {
    kind: 'start',
    project_id: projectId,
    id: row.id,
    op_name: row.op_name,
    display_name: null,
    trace_id: row.trace_id,
    fallback_trace_id: row.trace_id,
    parent_id: row.parent_id,
    thread_id: row.thread_id,
    turn_id: row.turn_id,
    started_at: row.started_at,
    attributes: row.attributes,
    inputs: row.inputs,
    otel_dump: row.otel_dump || null,
    input_refs: row.input_refs,
    svc_user_id: row.user_id,
    svc_run_id: row.run_id,
    svc_run_step: row.run_step,
    process_run: row.process_run || undefined,
  };
}

/** The columns of an end, which halves have, too. */
type EndColumns = Pick<
  WholeRow,
  'id' | 'exception' | 'output' | 'summary' | 'output_refs' | 'revision' | 'run_step_end'
>;

export function endOfRow(projectId: string, endedAt: number, row: EndColumns): EndFact {
  return {
    kind: 'end',
    project_id: projectId,
    id: row.id,
    ended_at: endedAt,
    exception: row.exception || null,
    output: row.output || null,
    output_refs: row.output_refs,
    summary: row.summary,
    revision: row.revision,
    display_name: null,
    svc_run_step_end: row.run_step_end,
  };
}

/** The row that hides a call for good, or until it is removed. */
export function goneRow(projectId: string, id: string, startedAt: number, version: bigint): Row {
  return { project_id: projectId, id, started_at: startedAt, ver: String(version), is_deleted: 1 };
}

export function halfRow(projectId: string, id: string, kind: 'end' | 'name', fields: Row): Row {
  const now = Date.now() * 1000;
  return { project_id: wellFormed(projectId), id: wellFormed(id), kind, written_at: now, ...fields };
}

export function endHalf(end: EndFact, displayName: string | null, version: bigint): Row {
  const name = displayName === null ? null : wellFormed(displayName);
  return halfRow(end.project_id, end.id, 'end', { ...endColumns(end), display_name: name, ver: String(version) });
}

function bytesOf(texts: readonly (string | null | undefined)[]): number {
  return texts.reduce<number>((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}

/**
 * Text that the JSON functions of the engine read in another way than we do, or not at all: half pairs of surrogates, and
 * numbers of more digits than 64 bits have or with a large exponent.
 */
const ODD = /\\ud[89a-f]|\d{18}|\d[eE][+-]?\d{3}/;

/** Deeper JSON is none to the engine. */
const MAX_DEPTH = 500;

function isOdd(text: string | null | undefined): boolean {
  return text !== null && text !== undefined && (ODD.test(text) || isDeep(text));
}

/** A text must have a bracket on both sides for every level. */
function isDeep(text: string): boolean {
  if (text.length < 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (const [found] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (found === '[' || found === '{') depth += 1;
    else if (found === ']' || found === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function hasChildErrors(end: EndFact): boolean {
  if (!end.summary.includes('"status_counts"')) return false;
  const errors = valueAtPath(parseJson(end.summary), ['status_counts', 'error']);
  const outcome = { exception: null, startedAt: 0, endedAt: 0 };
  return callStatus({ ...outcome, descendantErrors: isNumber(errors) ? Number(errors) : null }) === 'descendant_error';
}

/** Half a pair of surrogates is no character, and a row that has one would not be taken. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

function wellFormedOrNull(text: string | null): string | null {
  return text === null ? null : wellFormed(text);
}

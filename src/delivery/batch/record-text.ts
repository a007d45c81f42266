import type { CallRecord, RecordedEnd, RecordedStart } from '../../protocol/record.ts';
import { ITEM_END } from './batch.ts';

/**
 * Appends the JSON text of a record to the pieces of a longer text: an item of `/call/upsert_batch` in a line of its own.
 * Answers about how long it is. When a value has no JSON text it throws, and nothing was appended.
 *
 * Only what calls were given and made goes through `JSON.stringify`; the rest is put together in a third of the time.
 * Ids and times need no escapes, as none of their letters do (protocol, section 3). Each piece costs as much as fifty
 * characters, so what is constant is one piece.
 */
export function appendRecord(pieces: string[], record: CallRecord): number {
  record.resolveLate?.(record.kind === 'start' ? record.start : record.end);
  return record.kind === 'start'
    ? appendStart(pieces, record.start, record.attributesText)
    : appendEnd(pieces, record.end);
}

/** More than ids, times and names of members take. */
const REST_LENGTH = 320;
const ITEM_CLOSING = `}}}${ITEM_END}`;

function appendStart(pieces: string[], start: RecordedStart, attributesText: string | undefined): number {
  const head = startHead(start);
  const attributes = attributesText ?? JSON.stringify(start.attributes);
  const inputs = JSON.stringify(start.inputs);
  const names = startNames(start);
  pieces.push(head, start.id, '","trace_id":"', start.trace_id);
  if (start.parent_id !== undefined) pieces.push('","parent_id":"', start.parent_id);
  pieces.push('","started_at":"', start.started_at, '","attributes":', attributes, ',"inputs":', inputs);
  if (names !== '') pieces.push(names);
  pieces.push(ITEM_CLOSING);
  return REST_LENGTH + head.length + attributes.length + inputs.length + names.length;
}

/** Members that few calls have. */
function startNames({ display_name, thread_id, turn_id, svc_run_id }: RecordedStart): string {
  let text = '';
  if (thread_id !== undefined) text += `,"thread_id":${JSON.stringify(thread_id)}`;
  if (turn_id !== undefined) text += `,"turn_id":"${turn_id}"`;
  if (display_name !== undefined) text += `,"display_name":${JSON.stringify(display_name)}`;
  if (svc_run_id !== undefined) text += `,"svc_run_id":${JSON.stringify(svc_run_id)}`;
  return text;
}

function appendEnd(pieces: string[], end: RecordedEnd): number {
  const head = endHead(end);
  const output = JSON.stringify(end.output) ?? 'null';
  const rest = endRest(end);
  pieces.push(head, end.id, '","ended_at":"', end.ended_at, '","output":', output, rest);
  return REST_LENGTH + head.length + output.length + rest.length;
}

const SUCCESS = `,"summary":{"status_counts":{"success":1,"error":0}}${ITEM_CLOSING}`;

/** Of most calls nothing but their own success is to be said. */
function endRest({ exception, display_name, summary }: RecordedEnd): string {
  if (exception === undefined && display_name === undefined && isOnlySuccess(summary)) return SUCCESS;
  let text = '';
  if (exception !== undefined) text += `,"exception":${JSON.stringify(exception)}`;
  if (display_name !== undefined) text += `,"display_name":${JSON.stringify(display_name)}`;
  return `${text},"summary":${JSON.stringify(summary)}${ITEM_CLOSING}`;
}

function isOnlySuccess(summary: RecordedEnd['summary']): boolean {
  for (const key in summary) if (key !== 'status_counts') return false;
  const { success, error } = summary.status_counts;
  return success === 1 && error === 0;
}

/** Beginnings of the records of one project. */
interface Heads {
  readonly projectId: string;
  readonly end: string;
  /** By op. */
  starts: Map<string, string>;
}

/** A program that makes up names for its ops or projects as it goes does not keep all of them. */
const MAX_HEADS = 1000;
const MAX_PROJECTS = 8;

let projects = new Map<string, Heads>();
/** Of the last record. */
let heads: Heads = headsOf('');

function headsOf(projectId: string): Heads {
  const known = projects.get(projectId);
  if (known !== undefined) return known;
  const end = `{"mode":"end","req":{"end":{"project_id":${JSON.stringify(projectId)},"id":"`;
  const made = { projectId, end, starts: new Map() };
  if (projects.size >= MAX_PROJECTS) projects = new Map();
  projects.set(projectId, made);
  return made;
}

function startHead({ project_id, op_name }: RecordedStart): string {
  if (project_id !== heads.projectId) heads = headsOf(project_id);
  const known = heads.starts.get(op_name);
  if (known !== undefined) return known;
  if (heads.starts.size >= MAX_HEADS) heads.starts = new Map();
  const names = `"project_id":${JSON.stringify(project_id)},"op_name":${JSON.stringify(op_name)}`;
  const head = `{"mode":"start","req":{"start":{${names},"id":"`;
  heads.starts.set(op_name, head);
  return head;
}

function endHead({ project_id }: RecordedEnd): string {
  if (project_id !== heads.projectId) heads = headsOf(project_id);
  return heads.end;
}

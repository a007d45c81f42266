import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { FeedbackField, Field } from '../../../storage/contract/plan.ts';
import {
  HIDDEN_COLUMNS,
  INTEGER_COLUMNS,
  isOneOf,
  JSON_COLUMNS,
  SIZE_COLUMNS,
  TEXT_COLUMNS,
  TIME_COLUMNS,
} from './call-columns.ts';

/** Reads a field path of a query or a sort; throws `invalid_field` for what cannot be asked about. */
export function parseField(path: string): Field {
  if (path.startsWith('feedback.')) return parseFeedback(path);
  const [column = '', ...rest] = splitPath(path);
  if (isOneOf(JSON_COLUMNS, column)) {
    return column === 'summary' && rest[0] === 'svc' ? computed(path, rest) : { kind: 'json', column, path: rest };
  }
  if (isOneOf(SIZE_COLUMNS, column)) throw invalidField(path, 'sizes are computed after the selection');
  const field = rest.length === 0 ? plainColumn(column) : undefined;
  if (field === undefined) throw invalidField(path, 'calls have no such field');
  return field;
}

/** The path of a field as a request names it; engines repeat it, so it must not be endless. */
export function checkPath(path: string, { path_characters: max }: Limits): string {
  if (path.length <= max) return path;
  throw new TracingError(
    'invalid_request',
    `Cannot use field "${path.slice(0, 100)}…": it has more than ${max} characters`,
  );
}

/** Splits at dots; `\.` is a dot inside a part. */
export function splitPath(path: string): string[] {
  // A request may have two million characters of paths: the pattern takes ten times as long.
  if (!path.includes('\\')) return path.split('.');
  return path.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
}

/** The first part of a path, and whether it is the only one; the rest is not looked at. */
export function firstPart(path: string): { readonly part: string; readonly isAll: boolean } {
  let end = path.indexOf('.');
  while (end > 0 && path[end - 1] === '\\') end = path.indexOf('.', end + 1);
  const isAll = end < 0;
  return { part: (isAll ? path : path.slice(0, end)).replaceAll('\\.', '.'), isAll };
}

/** A type has dots of its own, so it stands in brackets, as it is. */
const FEEDBACK_PATH = /^feedback\.\[(?<type>.+?)\]\.(?<column>payload|runnable_ref|trigger_ref)(?:\.(?<path>.*))?$/s;

function parseFeedback(text: string): FeedbackField {
  const { type = '', column, path } = FEEDBACK_PATH.exec(text)?.groups ?? {};
  const field = { kind: 'feedback', type: type === '*' ? null : type } as const;
  if (column === 'payload') return { ...field, column, path: path === undefined ? [] : splitPath(path) };
  if ((column === 'runnable_ref' || column === 'trigger_ref') && path === undefined) {
    return { ...field, column, path: [] };
  }
  throw invalidField(text, 'feedback is asked for by feedback.[<type>].payload.<path>, .runnable_ref or .trigger_ref');
}

function plainColumn(column: string): Field | undefined {
  if (isOneOf(TEXT_COLUMNS, column) || isOneOf(HIDDEN_COLUMNS, column)) return { kind: 'text', column };
  if (isOneOf(TIME_COLUMNS, column)) return { kind: 'time', column };
  if (isOneOf(INTEGER_COLUMNS, column)) return { kind: 'integer', column };
  return undefined;
}

/** Members that the server adds to a summary; the rest of its namespace is not a field. */
function computed(path: string, [, name, ...more]: readonly string[]): Field {
  if (more.length === 0) {
    if (name === 'status' || name === 'trace_name') return { kind: 'text', column: name };
    if (name === 'latency_ms') return { kind: 'integer', column: name };
  }
  throw invalidField(path, 'of the computed summary there are status, latency_ms and trace_name');
}

function invalidField(path: string, reason: string): TracingError {
  return new TracingError('invalid_field', `Cannot use field "${path.slice(0, 200)}": ${reason}`);
}

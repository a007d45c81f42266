import { formatCallRef, parseRef, REF_SCHEME } from '../../protocol/ref.ts';
import { allOf, field, type Operand } from '../../reader/reader.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { nothingFound } from '../nothing-found.ts';
import { timeColumn } from '../output/columns.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { tableLines } from '../output/table.ts';
import { shortIds } from '../short-id.ts';

export interface FeedbackOptions extends ServiceOptions {
  readonly limit: number;
  /** A reference, or the id of a call. */
  readonly on?: string;
  readonly type?: string;
  readonly json?: true;
}

/** Members of a feedback that are printed; those that were not asked for by name are there, too. */
interface FeedbackRow {
  readonly id: string;
  readonly created_at: string;
  readonly svc_ref: string;
  readonly feedback_type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly creator: string | null;
  readonly svc_user_id: string | null;
}

/** Lists feedback, the newest first. */
export async function printFeedback(options: FeedbackOptions): Promise<void> {
  const connection = connect(options);
  const conditions = conditionsOf(options, connection.project);
  // The service sends records as it stores them.
  const rows = (await connection.reader.feedback.query({
    ...(conditions.length > 0 && { query: allOf(conditions) }),
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    limit: options.limit,
  })) as unknown as FeedbackRow[];
  if (options.json) return printJson(rows);
  if (rows.length === 0) remark(await nothingFound('feedback', connection));
  else process.stdout.write(`${linesOf(rows).join('\n')}\n`);
}

function conditionsOf({ on, type }: FeedbackOptions, project: string): Operand[] {
  const ref = on === undefined || on.startsWith(REF_SCHEME) ? on : formatCallRef(project, on);
  return [
    ...(ref === undefined ? [] : [field('svc_ref').eq(ref)]),
    ...(type === undefined ? [] : [field('feedback_type').eq(type)]),
  ];
}

function linesOf(rows: readonly FeedbackRow[]): string[] {
  const shortId = shortIds(rows.map(targetOf));
  return tableLines(rows, [
    timeColumn((row) => row.created_at),
    { head: 'type', cell: ({ feedback_type: type }) => toLine(type.replace(/^svc\./, ''), 40), least: 8 },
    { head: 'value', cell: ({ payload }) => toLine(valueText(payload), 80), least: 12 },
    { head: 'on', cell: (row) => toLine(targetOf(row)), short: (row) => toLine(shortId(targetOf(row)), 24) },
    { head: 'by', cell: (row) => toLine(row.creator ?? row.svc_user_id ?? '', 40), least: 8, rank: 1 },
  ]);
}

/** Id of a call, or name and version of an object. */
function targetOf({ svc_ref: text }: FeedbackRow): string {
  try {
    const ref = parseRef(text);
    if (ref.kind === 'call') return ref.id;
    return ref.kind === 'table' ? ref.digest : `${ref.name}:${ref.version}`;
  } catch {
    // What another client has written is told as it stands.
    return text;
  }
}

/** The one thing that most kinds of feedback say, else all of it. */
function valueText(payload: FeedbackRow['payload']): string {
  const said = ['note', 'emoji', 'value', 'output'].map((key) => payload[key]).find((value) => value != null);
  const shown = said ?? payload;
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}

import type { CallOutline, ModelUsage } from '../../contract/overviews.ts';
import { previewsOf } from '../../values/overviews/call-outline.ts';
import { shownBody } from '../../values/overviews/read-overviews.ts';

/** A call as outlines are read. */
export type OutlineRow = Omit<CallOutline, 'usages' | 'input' | 'output'> & {
  readonly usages: string;
  readonly input?: string | null;
  readonly output?: string | null;
  /** Bodies of which no preview is kept, which are short. */
  readonly short_input?: string | null;
  readonly short_output?: string | null;
};

const COLUMNS: readonly string[] = [
  'c.id AS id',
  'c.trace_id AS trace_id',
  'c.parent_id AS parent_id',
  'c.thread_id AS thread_id',
  'c.op_name AS op_name',
  "nullIf(c.display_name, '') AS display_name",
  'c.started_at AS started_at',
  'c.ended_at AS ended_at',
  `multiIf(c.exception != '', 'error', c.ended_at IS NULL, 'running', c.has_child_errors = 1, 'descendant_error', 'success') AS status`,
  "if(c.exception = '', NULL, c.error) AS error",
  'c.error_type AS error_type',
  'c.kind AS kind',
  'c.first_chunk_ms AS first_chunk_ms',
  'c.usages AS usages',
];

const PREVIEWS: readonly string[] = [
  'c.input_preview AS input',
  'c.output_preview AS output',
  "if(c.input_preview IS NULL, nullIf(c.inputs, ''), NULL) AS short_input",
  "if(c.output_preview IS NULL, nullIf(c.output, ''), NULL) AS short_output",
];

export function outlineColumns(hasPreviews: boolean): string {
  return (hasPreviews ? [...COLUMNS, ...PREVIEWS] : COLUMNS).join(', ');
}

export function outlineOfRow(row: OutlineRow): CallOutline {
  const short = previewsOf(shownBody(row.short_input ?? null), shownBody(row.short_output ?? null));
  return {
    id: row.id,
    trace_id: row.trace_id,
    parent_id: row.parent_id,
    thread_id: row.thread_id,
    op_name: row.op_name,
    display_name: row.display_name,
    started_at: row.started_at,
    ended_at: row.ended_at,
    status: row.status,
    error: row.error,
    error_type: row.error_type,
    kind: row.kind,
    first_chunk_ms: row.first_chunk_ms,
    usages: usagesOfText(row.usages),
    input: row.input ?? short.input,
    output: row.output ?? short.output,
  };
}

/** Written by `JSON.stringify`. */
export function usagesOfText(text: string): readonly ModelUsage[] {
  return text === '' ? [] : (JSON.parse(text) as ModelUsage[]);
}

import { TracingError } from '../../protocol/error.ts';
import { allOf, anyOf, field, type Operand, type Reader } from '../../reader/reader.ts';
import { type CallPosition, callKey } from './archive-line.ts';

export interface CallText {
  readonly key: string;
  /** JSON of the call as the service sends it. */
  readonly value: string;
}

export interface CallLinesOptions {
  readonly project: string;
  /** Calls behind it are wanted only. */
  readonly after: CallPosition | undefined;
  /** Unix seconds. */
  readonly since: number | undefined;
}

/** Calls of one request: a stream has a deadline. */
const PAGE = 20_000;
const ORDER = [
  { field: 'started_at', direction: 'asc' as const },
  { field: 'id', direction: 'asc' as const },
];

/** All calls of a project in the order in which they began, as texts; `reader` is one of lines. */
export async function* callLines(reader: Reader, options: CallLinesOptions): AsyncGenerator<CallText> {
  let { after } = options;
  for (;;) {
    let count = 0;
    const conditions = conditionsOf({ ...options, after });
    const query = conditions.length === 0 ? {} : { query: allOf(conditions) };
    const request = { project_id: options.project, ...query, sort_by: ORDER, limit: PAGE };
    // Lines are texts here.
    for await (const text of reader.calls.query(request) as AsyncIterable<unknown> as AsyncIterable<string>) {
      after = positionOf(text);
      count += 1;
      yield { key: callKey(after), value: text };
    }
    if (count < PAGE) return;
  }
}

function conditionsOf({ after, since }: CallLinesOptions): Operand[] {
  return [
    ...(since === undefined ? [] : [field('started_at').gte(since)]),
    ...(after === undefined ? [] : behind(after)),
  ];
}

function behind({ started_at: time, id }: CallPosition): Operand[] {
  return [
    // Says nothing that the rest does not, but an index can serve it.
    field('started_at').gte(time),
    anyOf([field('started_at').gt(time), field('id').gt(id)]),
  ];
}

/** The service writes these members first, and quotes in texts before them have backslashes. */
function positionOf(text: string): CallPosition {
  const [, id] = /^\{"id":"([^"\\]*)"/.exec(text) ?? [];
  const [, time] = /,"started_at":"([^"\\]*)"/.exec(text) ?? [];
  if (id === undefined || time === undefined) throw brokenStream(text);
  return { id, started_at: time };
}

function brokenStream(text: string): TracingError {
  return new TracingError('broken_stream', `Cannot read the calls to their end: ${text.slice(0, 300)}`);
}

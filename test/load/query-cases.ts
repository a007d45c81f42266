import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import type { PostName } from '../../src/server/routes/route.ts';
import { type GrownFields, grownQuery, type Node, placesOf } from '../server/query/grown-queries.ts';
import { type BodyCase, pathOf } from './body-cases.ts';
import type { Send } from './body-service.ts';
import { PROJECT } from './right-bodies.ts';

const { in_items, query_items, query_nodes, query_depth, literal_characters, path_characters } = DEFAULT_LIMITS;

/** A query has a few nodes beside those that are many. */
const NODES = query_nodes - 100;

const literal = (value: unknown): Node => ({ $literal: value });
const field = (path: string): Node => ({ $getField: path });
const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A path as long as it may be; of many parts, which may be indexes as well as keys. */
const longPath = (column: string, part: string, index = 0) =>
  `${column}${`.${part}`.repeat(path_characters)}`.slice(0, path_characters - 8).replace(/\.$/, '') + `.${index}`;

/** Queries at their limits: a path in a body, and the nodes that one query may have of it. */
const QUERIES: Readonly<Record<string, (json: string, bytes: number) => Node>> = {
  'lists of short literals': (json) => ({ $or: lists((index) => literal(`v${index}`), field(json)) }),
  'lists of numbers': (json) => ({ $or: lists((index) => literal(index + 0.5), field(json)) }),
  'lists of objects': (json) => ({ $or: lists((index) => literal({ a: index }), field(json)) }),
  'lists of long literals': (json, bytes) => {
    const text = 'x'.repeat(Math.floor(Math.min(bytes, literal_characters) / query_items) - 10);
    return { $or: lists((index) => literal(`${index}${text}`), field(json)) };
  },
  'one long literal': (json) => ({ $eq: [field(json), literal('a'.repeat(literal_characters - 100))] }),
  'lists of more literals than accepted': (json, bytes) => ({
    $or: lists((index) => literal(`${index}${'x'.repeat(Math.floor(bytes / query_items) - 40)}`), field(json)),
  }),
  'a literal of as many values as accepted': (json) => ({ $eq: [field(json), literal(times(75_000, () => 1))] }),
  'a literal of as many keys as accepted': (json) => ({
    $eq: [field(json), literal(Object.fromEntries(times(7500, (index) => [`k${index}`, 1])))],
  }),
  'a literal of many values': (json) => ({
    $eq: [field(json), literal(times(literal_characters / 4 - 100, () => 1))],
  }),
  'a literal of keys': (json) => ({
    $eq: [field(json), literal(Object.fromEntries(times(literal_characters / 12, (index) => [`k${index}`, 1])))],
  }),
  'a long text searched for': (json) => ({
    $contains: { input: field(json), substr: literal('a'.repeat(literal_characters - 100)), case_insensitive: true },
  }),
  'many literals': (json) => ({ $or: times(NODES / 3, (index) => ({ $eq: [field(json), literal(`v${index}`)] })) }),
  'many searches': (json) => ({
    $or: times(NODES / 3, (index) => ({ $contains: { input: field(json), substr: literal(`v${index}`) } })),
  }),
  'many values with indexes': (json) => ({ $or: times(NODES, () => field(`${json}.0.1.2`)) }),
  'many comparisons with indexes': (json) => ({
    $or: times(NODES / 3, (index) => ({ $eq: [field(`${json}.0.1.2`), literal(index)] })),
  }),
  'long paths': (json, bytes) => ({
    $or: times(longPaths(bytes), (index) => ({ $eq: [field(longPath(json, 'a', index)), literal(1)] })),
  }),
  'long paths with indexes': (json, bytes) => ({
    $or: times(longPaths(bytes), (index) => ({ $eq: [field(longPath(json, '1', index)), literal(1)] })),
  }),
};

/** As many lists as a query may have items, all of them full. */
function lists(item: (index: number) => Node, compared: Node): Node[] {
  const items = times(in_items, item);
  return times(query_items / in_items, () => ({ $in: [compared, items] }));
}

function longPaths(bytes: number): number {
  return Math.min(NODES / 3, Math.floor(bytes / (path_characters + 100)));
}

/** The endpoints that take queries, with a path into what their users wrote, and fields of each kind. */
const CALLS: GrownFields = {
  json: 'inputs.a',
  text: 'op_name',
  time: 'started_at',
  said: 'feedback.[own].payload.v',
  saidByAnybody: 'feedback.[*].payload.v',
};
const FEEDBACK = {
  ...CALLS,
  json: 'payload.a',
  text: 'feedback_type',
  time: 'created_at',
  said: 'payload.v',
  saidByAnybody: 'payload',
};
const PRICES = { ...FEEDBACK, json: 'llm_id', text: 'llm_id', said: 'provider_id', saidByAnybody: 'provider_id' };
const ASKED: Partial<Record<PostName, GrownFields>> = {
  callsQueryStats: CALLS,
  callsStreamQuery: CALLS,
  costQuery: PRICES,
  costPurge: PRICES,
  feedbackQuery: FEEDBACK,
  feedbackPurge: FEEDBACK,
};

/** Queries at their limits, and everything else that reads may be asked for. */
export function queryCases(): BodyCase[] {
  const queries = Object.entries(ASKED).flatMap(([name, fields]) => {
    const grown = Object.entries(placesOf(fields)).map(
      ([place, make]) =>
        [`${query_depth} levels of ${place}`, () => grownQuery([make], field(fields.json), query_depth - 2)] as const,
    );
    const made = Object.entries(QUERIES).map(
      ([kind, make]) => [kind, (bytes: number) => make(fields.json, bytes)] as const,
    );
    return [...made, ...grown].map(([kind, make]) =>
      caseOf(name as PostName, kind, (bytes) => ({ query: { $expr: make(bytes - 200_000) } })),
    );
  });
  return [...queries, ...readCases()];
}

/** Lists of a read other than its query, at their limits. */
function readCases(): BodyCase[] {
  const { sort_items, columns, expand_columns, filter_items, refs_per_batch } = DEFAULT_LIMITS;
  const paths = (column: string, part: string, count: number) => times(count, (index) => longPath(column, part, index));
  const sorts = (part: string) => paths('inputs', part, sort_items).map((path) => ({ field: path, direction: 'asc' }));
  const ids = (count: number) => times(count, (index) => `c${index}`);
  return [
    ...['a', '1'].flatMap((part) => [
      caseOf('callsStreamQuery', `long sorts of ${part}`, () => ({ sort_by: sorts(part) })),
      caseOf('callsStreamQuery', `long columns of ${part}`, () => ({ columns: paths('inputs', part, columns) })),
      caseOf('callsStreamQuery', `long expanded columns of ${part}`, () => ({
        expand_columns: paths('inputs', part, expand_columns),
        columns: ['inputs'],
        sort_by: sorts(part),
      })),
    ]),
    caseOf('callsStreamQuery', 'full filters', () => ({
      filter: {
        call_ids: ids(filter_items),
        trace_ids: ids(filter_items),
        op_names: ids(filter_items).map((id) => `${id}*`),
      },
    })),
    caseOf('threadsStreamQuery', 'full filters', () => ({ filter: { thread_ids: ids(filter_items) } })),
    caseOf('callsDelete', 'all it may name', () => ({ call_ids: ids(DEFAULT_LIMITS.calls_per_delete) })),
    caseOf('tableQuery', 'full filters', () => ({ digest: 'd', filter: { row_digests: ids(filter_items) } })),
    caseOf('refsReadBatch', 'all it may name', () => ({
      project_id: undefined,
      refs: times(refs_per_batch, (index) => `svc:///${PROJECT}/object/o:d${index}${'/atr/a'.repeat(1000)}`),
    })),
  ];
}

function caseOf(endpoint: PostName, kind: string, members: (bytes: number) => object): BodyCase {
  const make = (bytes: number) => Buffer.from(JSON.stringify({ project_id: PROJECT, ...members(bytes) }));
  return { endpoint, path: pathOf(endpoint), name: kind, kind, prepare: prepareCalls, make };
}

/** A query is asked of something. */
async function prepareCalls(send: Send): Promise<void> {
  for (const index of [0, 1, 2]) {
    const call = { project_id: PROJECT, id: `c${index}` };
    const value = [['x', ['y', index, { a: index }]]];
    const start = { ...call, op_name: 'f', trace_id: 't', thread_id: 't', started_at: '2026-01-01T00:00:00Z' };
    await send('/call/start', { start: { ...start, attributes: {}, inputs: { a: value } } });
    await send('/call/end', { end: { ...call, ended_at: '2026-01-01T00:00:01Z', output: index, summary: {} } });
    const said = { feedback_type: 'own', payload: { v: index, a: value } };
    await send('/feedback/create', { project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/c${index}`, ...said });
  }
}

import type { TSchema } from '@sinclair/typebox';
import { SERVED } from '../../src/protocol/endpoints.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import type { PostName } from '../../src/server/routes/route.ts';

/** A body that is as bad as a request of its endpoint can be. */
export interface BodyCase {
  readonly endpoint: PostName;
  readonly path: string;
  /** What is large, and where. */
  readonly name: string;
  readonly make: (bytes: number) => Buffer;
}

const PROJECT = 'acme/demo';
const AT = '2026-01-01T00:00:00Z';
const START = { project_id: PROJECT, id: 'c1', op_name: 'f', trace_id: 't', started_at: AT };
const END = { project_id: PROJECT, id: 'c1', ended_at: AT, output: 1 };
const FEEDBACK = { project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/c1`, feedback_type: 'own', payload: {} };
const PRICE = { prompt_token_cost: 1, completion_token_cost: 1 };
const QUERY = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'x' }] } };

/** A right body for each endpoint, with one item in each list. */
export const RIGHT: Readonly<Record<PostName, Record<string, unknown>>> = {
  callStart: { start: START },
  callEnd: { end: END },
  callUpsertBatch: { batch: [{ mode: 'start', req: { start: START } }] },
  callsDelete: { project_id: PROJECT, call_ids: ['c1'] },
  callUpdate: { project_id: PROJECT, call_id: 'c1', display_name: 'n' },
  callRead: { project_id: PROJECT, id: 'c1' },
  callsQueryStats: { project_id: PROJECT, query: QUERY, filter: { op_names: ['f'] }, expand_columns: ['inputs.a'] },
  callsStreamQuery: {
    project_id: PROJECT,
    query: QUERY,
    filter: { call_ids: ['c1'] },
    sort_by: [{ field: 'id', direction: 'asc' }],
    columns: ['id'],
  },
  costCreate: { project_id: PROJECT, costs: { m: PRICE } },
  costQuery: { project_id: PROJECT, query: QUERY, fields: ['id'] },
  costPurge: { project_id: PROJECT, query: QUERY },
  feedbackCreate: FEEDBACK,
  feedbackQuery: { project_id: PROJECT, query: QUERY, fields: ['id'] },
  feedbackPurge: { project_id: PROJECT, query: QUERY },
  feedbackReplace: { ...FEEDBACK, feedback_id: 'f1' },
  feedbackBatchCreate: { batch: [FEEDBACK] },
  fileCreate: { project_id: PROJECT, name: 'n', content: 'AAAA' },
  fileContent: { project_id: PROJECT, digest: 'd' },
  filesQueryStats: { project_id: PROJECT },
  objCreate: { obj: { project_id: PROJECT, object_id: 'o', val: {} } },
  objRead: { project_id: PROJECT, object_id: 'o', digest: 'd' },
  objsQuery: {
    project_id: PROJECT,
    filter: { object_ids: ['o'] },
    sort_by: [{ field: 'object_id', direction: 'asc' }],
  },
  objDelete: { project_id: PROJECT, object_id: 'o', digests: ['d'] },
  otelExportTraces: {
    resourceSpans: [
      {
        resource: { attributes: [] },
        scopeSpans: [
          { spans: [{ traceId: '1'.repeat(32), spanId: '2'.repeat(16), name: 's', startTimeUnixNano: '1' }] },
        ],
      },
    ],
  },
  refsReadBatch: { refs: [`svc:///${PROJECT}/call/c1`] },
  tableCreate: { table: { project_id: PROJECT, rows: [{ a: 1 }] } },
  tableUpdate: { project_id: PROJECT, base_digest: 'd', updates: [{ append: { row: { a: 1 } } }] },
  tableQuery: { project_id: PROJECT, digest: 'd', filter: { row_digests: ['r'] } },
  tableQueryStats: { project_id: PROJECT, digest: 'd' },
  tableQueryStatsBatch: { project_id: PROJECT, digests: ['d'] },
  threadsStreamQuery: { project_id: PROJECT, filter: { thread_ids: ['t'] } },
  callsComplete: { batch: [{ ...START, ended_at: AT }] },
  projectCallStart: { start: START },
  projectCallEnd: { end: END },
};

/** Where in a right body something is put. */
type Place = readonly (string | number)[];

/** A text that fills the room given to it. */
type Filling = (bytes: number) => Buffer;

const repeated =
  (unit: string, before: string, after: string): Filling =>
  (bytes) => {
    const room = Math.max(0, bytes - before.length - after.length);
    const filled = Buffer.alloc(Math.floor(room / unit.length) * unit.length, unit);
    return Buffer.concat([Buffer.from(before), filled, Buffer.from(after)]);
  };

const list = (item: string): Filling => repeated(`${item},`, '[', `${item}]`);

const keys =
  (value: string, count = Number.POSITIVE_INFINITY): Filling =>
  (bytes) => {
    const parts: string[] = [];
    for (let index = 0, size = 2; size < bytes && index < count; index++) {
      const part = `"k${index.toString(36)}":${value}`;
      size += part.length + 1;
      parts.push(part);
    }
    return Buffer.from(`{${parts.join(',')}}`);
  };

const longKeys: Filling = (bytes) => {
  const length = Math.floor(bytes / 150);
  const members = Array.from({ length: 150 }, (_, index) => `"${String(index).padEnd(length - 5, 'k')}":1`);
  return Buffer.from(`{${members.join(',')}}`);
};

/** Branches that lie so deep inside one another. */
const deep =
  (levels: number): Filling =>
  (bytes) => {
    const branch = '['.repeat(levels) + ']'.repeat(levels);
    return list(branch)(bytes);
  };

/** What a value may be at its worst. The first of a pair is the name of the case. */
const VALUES: readonly (readonly [string, Filling])[] = [
  ['empty objects', (bytes) => wrapped(list('{}'))(bytes)],
  ['a million empty objects', (bytes) => wrapped(list('{}'))(Math.min(bytes, 3_000_000))],
  ['small objects', (bytes) => wrapped(list('{"a":1}'))(bytes)],
  ['pairs', (bytes) => wrapped(list('{"key":"some name","value":"some text of a user"}'))(bytes)],
  ['digits', (bytes) => wrapped(list('1'))(bytes)],
  ['numbers', (bytes) => wrapped(list('0.12345678'))(bytes)],
  ['numbers of another class', (bytes) => wrapped(list('1.0'))(bytes)],
  ['texts', (bytes) => wrapped(list('"some text of a user"'))(bytes)],
  ['references', (bytes) => wrapped(list(`"svc:///${PROJECT}/call/0190a1b2"`))(bytes)],
  ['400,000 keys', (bytes) => keys('1', 400_000)(bytes)],
  ['100,000 keys', (bytes) => keys('1', 100_000)(bytes)],
  ['keys', keys('1')],
  ['keys of objects', keys('{}')],
  ['long keys', longKeys],
  ['a long text in a value', (bytes) => wrapped(repeated('x', '"', '"'))(bytes)],
  ['escapes', (bytes) => wrapped(repeated('\\n', '"', '"'))(bytes)],
  ['escaped quotes', (bytes) => wrapped(repeated('\\"', '"', '"'))(bytes)],
  ['code units', (bytes) => wrapped(repeated('\\u00e9', '"', '"'))(bytes)],
  ['wide characters', (bytes) => wrapped(repeated('é', '"', '"'))(bytes)],
  ['400 levels', (bytes) => wrapped(deep(400))(bytes)],
  ['4000 levels', (bytes) => wrapped(deep(4000))(bytes)],
  ['a million levels', (bytes) => wrapped(repeated('[', '', ''))(Math.min(bytes, 1_000_000))],
];

/** Values of users are objects. */
function wrapped(filling: Filling): Filling {
  return (bytes) => Buffer.concat([Buffer.from('{"a":'), filling(bytes - 6), Buffer.from('}')]);
}

const TEXTS: readonly (readonly [string, Filling])[] = [
  ['a long text', repeated('x', '"', '"')],
  ['wide characters', repeated('😀', '"', '"')],
];

const LISTS: readonly (readonly [string, Filling])[] = [
  ['empty objects', list('{}')],
  ['nulls', list('null')],
  ['texts', list('"x"')],
  ['empty lists', list('[]')],
];

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

type Kind = 'value' | 'text' | 'list' | 'names';

/** All that a schema describes below a place that has something in the right body. */
function placesOf(schema: Schema, place: Place, found: (place: Place, kind: Kind, schema: Schema) => void): void {
  if (schema.anyOf) {
    // Of several objects the first is the one in the right body.
    const first = schema.anyOf.find(({ type }) => type !== 'null');
    if (first) placesOf(first, place, found);
    return;
  }
  if (schema.type === 'array') {
    found(place, 'list', schema);
    if (schema.items) placesOf(schema.items, [...place, 0], found);
  } else if (schema.properties) {
    for (const [key, member] of Object.entries(schema.properties)) placesOf(member, [...place, key], found);
  } else if (schema.type === 'object') {
    const described = Object.values(schema.patternProperties ?? {}).some((member) => member.type !== undefined);
    found(place, described ? 'names' : 'value', schema);
  } else if (schema.type === undefined) found(place, 'value', schema);
  else if (schema.type === 'string') found(place, 'text', schema);
}

const MARK = '@here@';

/** The right body with a text of JSON in a place. */
function bodyWith(name: PostName, place: Place, filling: Filling): (bytes: number) => Buffer {
  const body = structuredClone(RIGHT[name]) as Record<string | number, unknown>;
  let holder = body;
  for (const key of place.slice(0, -1)) holder = (holder[key] ??= {}) as Record<string | number, unknown>;
  const last = place.at(-1);
  if (last !== undefined) holder[last] = MARK;
  const [before = '', after = ''] = last === undefined ? [] : JSON.stringify(body).split(`"${MARK}"`);
  return (bytes) =>
    Buffer.concat([Buffer.from(before), filling(bytes - before.length - after.length), Buffer.from(after)]);
}

/** Lists as long as they may be, of right items that fill the body; the last of them may be wrong. */
function fullLists(name: PostName, place: Place, isRight: boolean): (bytes: number) => Buffer {
  const item = itemOf(RIGHT[name], place);
  return (bytes) => {
    const count = MAX_ITEMS[name] ?? 1000;
    const room = Math.floor((bytes * 0.99) / count) - JSON.stringify(item).length - 40;
    const items = Array.from({ length: count }, (_, index) => JSON.stringify(padded(item, index, room)));
    if (!isRight) items[items.length - 1] = '{"wrong":[]}';
    return bodyWith(name, place, () => Buffer.from(`[${items.join(',')}]`))(bytes);
  };
}

const MAX_ITEMS: Partial<Record<PostName, number>> = {
  callUpsertBatch: DEFAULT_LIMITS.batch_items,
  callsComplete: DEFAULT_LIMITS.batch_items,
  feedbackBatchCreate: DEFAULT_LIMITS.batch_items,
  tableCreate: DEFAULT_LIMITS.rows_per_table,
  tableUpdate: DEFAULT_LIMITS.table_updates,
};

function itemOf(body: unknown, place: Place): unknown {
  let value = body;
  for (const key of [...place, 0]) value = (value as Record<string | number, unknown>)[key];
  return value;
}

/** An item with an id of its own and a text of some length. */
function padded(item: unknown, index: number, room: number): unknown {
  const id = `i${index}`;
  const text = room > 0 ? { a: 'x'.repeat(room) } : {};
  const one = structuredClone(item) as Record<string, unknown>;
  const start = (one['req'] as { start: object } | undefined)?.start;
  if (start) return { ...one, req: { start: { ...start, id, inputs: text } } };
  if ('op_name' in one) return { ...one, id, inputs: text };
  if ('payload' in one) return { ...one, id, payload: text };
  if ('append' in one) return { append: { row: { ...text, index } } };
  return { ...(room > 16 ? { a: 'x'.repeat(room - 16) } : {}), n: index };
}

/** Every worst case of every endpoint. */
export function bodyCases(): BodyCase[] {
  const cases: BodyCase[] = [];
  for (const [endpoint, { path, ...rest }] of Object.entries(SERVED)) {
    if (!('request' in rest)) continue;
    const name = endpoint as PostName;
    const add = (what: string, make: (bytes: number) => Buffer) => {
      const at = path.replace('{entity}/{project}', PROJECT);
      cases.push({ endpoint: name, path: at, name: what, make });
    };
    for (const [what, filling] of [...TOP, ...(name === 'otelExportTraces' ? VALUES : [])]) {
      add(`${what} at the top`, bodyWith(name, ['unknown'], filling));
    }
    add('keys as the body', keys('1'));
    add('empty lists as the body', list('[]'));
    const seen = new Set<Kind>();
    placesOf(rest.request as TSchema as Schema, [], (place, kind, schema) => {
      const all = { value: VALUES, text: TEXTS, list: LISTS, names: [['keys', keys('{}')] as const] }[kind];
      // One code reads all places of a kind: the others get the cases that differ most.
      const fillings = seen.has(kind) ? all.filter(([what]) => BRIEF.includes(what)) : all;
      seen.add(kind);
      for (const [what, filling] of fillings) add(`${what} as ${place.join('.')}`, bodyWith(name, place, filling));
      if (kind !== 'list' || schema.items?.type === 'string' || MAX_ITEMS[name] === undefined) return;
      add(`right items as ${place.join('.')}`, fullLists(name, place, true));
      add(`one wrong item in ${place.join('.')}`, fullLists(name, place, false));
    });
  }
  return cases;
}

/** What is put in places like one before. */
const BRIEF = ['empty objects', 'keys', 'a long text in a value'];

/** Beside what a schema describes. */
const TOP: readonly (readonly [string, Filling])[] = [
  ['400,000 keys', keys('1', 400_000)],
  ['long keys', longKeys],
  ['4000 levels', deep(4000)],
];

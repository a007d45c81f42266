import type { TSchema } from '@sinclair/typebox';
import { SERVED } from '../../src/protocol/endpoints.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import type { PostName } from '../../src/server/routes/route.ts';
import type { Send } from './body-service.ts';
import { deep, type Filling, keys, LISTS, list, longKeys, TEXTS, VALUES } from './fillings.ts';
import { PROJECT, RIGHT } from './right-bodies.ts';

/** A body that is as bad as a request of its endpoint can be. */
export interface BodyCase {
  readonly endpoint: PostName;
  readonly path: string;
  /** What is large, and where. */
  readonly name: string;
  /** What is large: one of a kind at each endpoint is sent before others. */
  readonly kind: string;
  /** Sent before, at no cost of the case. */
  readonly prepare?: (send: Send) => Promise<void>;
  /** At most so many bytes; `undefined` where another case is the same. */
  readonly make: (bytes: number) => Buffer | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes once it is unpacked, where the body is packed already. */
  readonly unpackedBytes?: number;
}
/** Where in a right body something is put. */
export type Place = readonly (string | number)[];

export interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

export type Kind = 'value' | 'text' | 'list' | 'names';

/** All that a schema describes below a place that has something in the right body. */
export function placesOf(
  schema: Schema,
  place: Place,
  found: (place: Place, kind: Kind, schema: Schema) => void,
): void {
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
export function bodyWith(name: PostName, place: Place, filling: Filling): (bytes: number) => Buffer {
  const body = structuredClone(RIGHT[name]) as Record<string | number, unknown>;
  let holder = body;
  for (const key of place.slice(0, -1)) holder = (holder[key] ??= {}) as Record<string | number, unknown>;
  const last = place.at(-1);
  if (last !== undefined) holder[last] = MARK;
  const [before = '', after = ''] = last === undefined ? [] : JSON.stringify(body).split(`"${MARK}"`);
  return (bytes) =>
    Buffer.concat([Buffer.from(before), filling(bytes - before.length - after.length), Buffer.from(after)]);
}

interface Items {
  /** All, the last, or none of them. */
  readonly wrong?: 'all' | 'last';
  /** @default as many as there may be */
  readonly count?: number;
}

/** Lists as long as they may be, of items that fill the body. */
export function fullLists(name: PostName, place: Place, { wrong, count = maxItems(name) }: Items = {}): Filling {
  const item = itemOf(RIGHT[name], place);
  return (bytes) => {
    const room = Math.floor((bytes * 0.99) / count) - JSON.stringify(item).length - 40;
    const items = Array.from({ length: count }, (_, index) =>
      wrong === 'all' ? '{"wrong":[]}' : JSON.stringify(padded(item, index, room)),
    );
    if (wrong === 'last') items[items.length - 1] = '{"wrong":[]}';
    return bodyWith(name, place, () => Buffer.from(`[${items.join(',')}]`))(bytes);
  };
}

function maxItems(name: PostName): number {
  return MAX_ITEMS[name] ?? 1000;
}

export const MAX_ITEMS: Partial<Record<PostName, number>> = {
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

/** Where an endpoint of the table is. */
export function pathOf(name: PostName): string {
  return SERVED[name].path.replace('{entity}/{project}', PROJECT);
}

/** Spans name no project. */
export function headersOf(name: PostName): Record<string, string> {
  return name === 'otelExportTraces' ? { project_id: PROJECT } : {};
}

/** The endpoints that take a body, and what it has to be. */
export function requestSchemas(): readonly (readonly [PostName, Schema])[] {
  return Object.entries(SERVED).flatMap(([endpoint, served]) =>
    'request' in served ? [[endpoint as PostName, served.request as TSchema as Schema] as const] : [],
  );
}

/** Every worst case of every endpoint at the limit of bodies. */
export function bodyCases(): BodyCase[] {
  const cases: BodyCase[] = [];
  for (const [name, schema] of requestSchemas()) {
    const add = (kind: string, where: string, make: Filling) =>
      cases.push({
        endpoint: name,
        path: pathOf(name),
        headers: headersOf(name),
        name: `${kind} ${where}`,
        kind,
        make,
      });
    for (const [what, filling] of [...TOP, ...(name === 'otelExportTraces' ? VALUES : [])]) {
      add(what, 'at the top', bodyWith(name, ['unknown'], filling));
    }
    add('keys', 'as the body', keys('1'));
    add('empty lists', 'as the body', list('[]'));
    const seen = new Set<Kind>();
    placesOf(schema, [], (place, kind, { items }) => {
      const all = { value: VALUES, text: TEXTS, list: LISTS, names: [['keys', keys('{}')] as const] }[kind];
      // One code reads all places of a kind: the others get the cases that differ most.
      const fillings = seen.has(kind) ? all.filter(([what]) => BRIEF.includes(what)) : all;
      seen.add(kind);
      for (const [what, filling] of fillings) add(what, `as ${place.join('.')}`, bodyWith(name, place, filling));
      if (kind !== 'list' || items?.type === 'string' || MAX_ITEMS[name] === undefined) return;
      add('right items', `as ${place.join('.')}`, fullLists(name, place));
      add('wrong items', `as ${place.join('.')}`, fullLists(name, place, { wrong: 'all' }));
      add('one wrong item', `in ${place.join('.')}`, fullLists(name, place, { wrong: 'last' }));
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

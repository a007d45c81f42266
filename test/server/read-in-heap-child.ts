// Reads a body of many small items, and hands on what was made of them; prints how many there were. Started with a heap
// that has room for a few portions of them.
import type { JsonValue } from '../../src/protocol/values/canonical-json.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { surveyAtOnce } from '../../src/server/http/body/body-survey.ts';
import { bodyReading } from '../../src/server/http/body/native-body.ts';
import { exportBody } from '../../src/server/ingest/otlp/export-body.ts';
import { createObject } from '../../src/server/ingest/objects/create-object.ts';
import { toRow } from '../../src/server/ingest/objects/create-table.ts';
import { updateTable } from '../../src/server/ingest/objects/update-table.ts';
import { storeTableOf } from '../../src/server/ingest/large/table-body.ts';
import type { WriteExchange } from '../../src/server/ingest/write-requests.ts';
import type { WriteStores } from '../../src/server/ingest/write-stores.ts';
import type { NewObject } from '../../src/storage/contract/objects.ts';
import { listDigests } from '../../src/storage/packed/digest-portions.ts';
import { joinDigests } from '../../src/storage/packed/joined-digests.ts';
import { packObject } from '../../src/storage/packed/packed-object.ts';
import { manyAttributes, manyEvents, manySpans } from '../load/protobuf-cases.ts';

const [kind, count] = [process.argv[2] ?? '', Number(process.argv[3])];
const exchange: WriteExchange = {
  request: { headers: { project_id: 'a/b' } } as unknown as WriteExchange['request'],
  caller: { keyId: 'k', userId: 'u', entities: new Set(['*']), mayImport: false },
  limits: DEFAULT_LIMITS,
  depth: 10,
};
/** What a storage keeps is not in this heap. */
let written = 0;

async function table(): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => `{"n":${index}}`).join(',');
  const bytes = Buffer.from(`{"table":{"project_id":"a/b","rows":[${rows}]}}`);
  const reading = { limits: DEFAULT_LIMITS, check: bodyReading('tableCreate', DEFAULT_LIMITS, undefined).check };
  const tables: WriteStores['tables'] = {
    create: async (given) => {
      for (const { val } of given.rows) written += val.length > 0 ? 1 : 0;
    },
    derive: async () => undefined,
    getRowDigests: async () => undefined,
  };
  await storeTableOf({ bytes, shape: surveyAtOnce(bytes) }, reading, { tables }, exchange);
}

/** Of a table with so many rows some go, and as many come. */
async function update(): Promise<void> {
  const digestsFrom = (from: number) =>
    Array.from({ length: Math.min(10_000, count - from) }, (_, index) => String(from + index).padStart(43, 'd'));
  const tables: WriteStores['tables'] = {
    create: async () => undefined,
    derive: async ({ pieces }) => {
      for (const piece of pieces) written += 'from' in piece ? piece.count : 1;
    },
    getRowDigests: async () =>
      await listDigests(async (from) => ({ count, digests: [joinDigests(digestsFrom(from))] })),
  };
  const updates = Array.from({ length: DEFAULT_LIMITS.table_updates }, (_, change) => {
    const index = (change * 7919) % count;
    return change % 2 === 0 ? { pop: { index } } : { insert: { index, row: { change } } };
  });
  await updateTable(tables, { project_id: 'a/b', base_digest: 'b', updates }, exchange);
}

async function spans(body: Buffer): Promise<void> {
  const calls: WriteStores['calls'] = {
    write: async (facts) => {
      written += facts.length;
      return [];
    },
  };
  await exportBody(calls, body, exchange);
}

/** A row of so many lists, each of which has a thousand levels. */
async function deep(): Promise<void> {
  const levels = 1000;
  const lists = Array.from({ length: count }, () => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as JsonValue);
  const { val } = toRow(lists, { ...exchange, limits: { ...DEFAULT_LIMITS, json_depth: levels + 2 } });
  written = (val.length - ', '.length * (count - 1) - '[]'.length) / (2 * levels);
}

/** An object of one text, of which a storage in another thread gets the bytes. */
async function object(): Promise<void> {
  const create = async (created: NewObject) => {
    const { val } = packObject(created);
    written = val.length - '{"text": ""}'.length;
  };
  const objects: WriteStores['objects'] = { create, get: async () => undefined };
  await createObject(
    objects,
    { obj: { project_id: 'a/b', object_id: 'o', val: { text: 'x'.repeat(count) } } },
    exchange,
  );
}

const EXPORTS: Readonly<Record<string, (count: number) => Buffer>> = {
  spans: manySpans,
  events: manyEvents,
  attributes: manyAttributes,
};

const TABLES: Readonly<Record<string, () => Promise<void>>> = { table, update, deep, object };

await (TABLES[kind]?.() ?? spans(EXPORTS[kind]?.(count) ?? Buffer.alloc(0)));
console.log(written);

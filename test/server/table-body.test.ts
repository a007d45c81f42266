import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { surveyAtOnce } from '../../src/server/http/body/body-survey.ts';
import { bodyReading } from '../../src/server/http/body/native-body.ts';
import { storeTableOf } from '../../src/server/ingest/large/table-body.ts';
import type { WriteExchange } from '../../src/server/ingest/write-requests.ts';
import type { WriteStores } from '../../src/server/ingest/write-stores.ts';

const { check } = bodyReading('tableCreate', DEFAULT_LIMITS, undefined);
const exchange: WriteExchange = {
  request: { headers: {} } as unknown as WriteExchange['request'],
  caller: { keyId: 'k', userId: 'u', entities: new Set(['*']), mayImport: false },
  limits: DEFAULT_LIMITS,
  depth: 10,
};

/** Stores the body; how many bytes of it were left while its rows were written, and how many rows came. */
async function store(body: string) {
  const seen: { left: number; rows: number }[] = [];
  const bytes = Buffer.from(new TextEncoder().encode(body).buffer);
  const tables: WriteStores['tables'] = {
    create: async ({ rows }) => void seen.push({ left: bytes.byteLength, rows: Array.from(rows).length }),
    derive: async () => undefined,
    getRowDigests: async () => undefined,
  };
  const reading = { limits: DEFAULT_LIMITS, check };
  const table = await storeTableOf({ bytes, shape: surveyAtOnce(bytes) }, reading, { tables }, exchange);
  return { seen, isFound: table !== undefined, left: bytes.byteLength };
}

test.each([0, 1, 4999, 5001, 60_000])('nothing is left of a body while its %d rows are written', async (count) => {
  const rows = Array.from({ length: count }, (_, index) => `{"n":${index}}`).join(',');
  const { seen } = await store(`{"table":{"project_id":"a/b","rows":[${rows}]}}`);
  expect(seen).toEqual([{ left: 0, rows: count }]);
});

test('a body whose rows are not found in it is left as it is', async () => {
  // Written so, the list is not to be seen without parsing.
  const body = JSON.stringify({ table: { project_id: 'a/b', rows: [{ n: 1 }] } }).replace(
    'rows',
    String.raw`row\u0073`,
  );
  expect(await store(body)).toEqual({ seen: [], isFound: false, left: body.length });
});

// Reads a body of many small items, and hands on what was made of them; prints how many there were. Started with a heap
// that has room for a few portions of them.
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { surveyAtOnce } from '../../src/server/http/body/body-survey.ts';
import { bodyReading } from '../../src/server/http/body/native-body.ts';
import { exportBody } from '../../src/server/ingest/otlp/export-body.ts';
import { storeTableOf } from '../../src/server/ingest/large/table-body.ts';
import type { WriteExchange } from '../../src/server/ingest/write-requests.ts';
import type { WriteStores } from '../../src/server/ingest/write-stores.ts';
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
    getRowDigests: async () => undefined,
  };
  await storeTableOf({ bytes, shape: surveyAtOnce(bytes) }, reading, { tables }, exchange);
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

const EXPORTS: Readonly<Record<string, (count: number) => Buffer>> = {
  spans: manySpans,
  events: manyEvents,
  attributes: manyAttributes,
};

await (EXPORTS[kind] === undefined ? table() : spans(EXPORTS[kind](count)));
console.log(written);

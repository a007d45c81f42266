import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import type { CallFact } from '../../src/storage/contract/calls.ts';
import type { Packed } from '../../src/storage/packed/packing.ts';
import { unpackFacts } from '../../src/storage/packed/packed-facts.ts';
import { remoteStores, type AskStorage } from '../../src/server/ingest/large/remote-stores.ts';
import { exportBody } from '../../src/server/ingest/otlp/export-body.ts';
import type { WriteExchange } from '../../src/server/ingest/write-requests.ts';
import { manyEndedSpans } from '../load/protobuf-cases.ts';

const EXCHANGE: WriteExchange = {
  request: { headers: { project_id: 'a/b' } } as unknown as WriteExchange['request'],
  caller: { keyId: 'k', userId: 'u', entities: new Set(['*']), mayImport: false },
  limits: DEFAULT_LIMITS,
  depth: 10,
};

/** Exports so many spans to another thread; the batches that it is asked to write, and the memory that they are in. */
async function exported(count: number): Promise<{ batches: CallFact[][]; memories: Set<ArrayBufferLike> }> {
  const batches: CallFact[][] = [];
  const memories = new Set<ArrayBufferLike>();
  const ask = async (request: Parameters<AskStorage>[0]) => {
    if (request.op !== 'writeCalls') return undefined;
    for (const memory of memoriesOf(request.facts)) memories.add(memory);
    const facts = unpackFacts(request.facts);
    batches.push(facts);
    return facts.map(() => 't');
  };
  const { calls } = remoteStores(ask);
  await exportBody(calls, manyEndedSpans(count), EXCHANGE);
  return { batches, memories };
}

function memoriesOf({ short, long, lengths, numbers }: Packed): ArrayBufferLike[] {
  const texts = [short, ...long].flatMap((text) => (typeof text === 'string' ? [] : [text.bytes]));
  return [...texts, lengths, numbers].map(({ buffer }) => buffer);
}

const MIB = 1024 * 1024;

test.each([10_001, 15_000, 25_000])('%i spans are on their way in the same shared memory', async (count) => {
  const { batches, memories } = await exported(count);
  expect(batches.flat()).toHaveLength(count * 2);
  expect([...memories].reduce((bytes, { byteLength }) => bytes + byteLength, 0)).toBeLessThan(8 * MIB);
});

test('the two records of each of many spans are written together', async () => {
  const { batches } = await exported(11_111);
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(4000);
    const ids = (kind: CallFact['kind']) => batch.filter((fact) => fact.kind === kind).map(({ id }) => id);
    expect(ids('end')).toEqual(ids('start'));
  }
});

test('as many spans as exporters send are written at once', async () => {
  const { batches } = await exported(9999);
  expect(batches.map((batch) => batch.length)).toEqual([9999 * 2]);
});

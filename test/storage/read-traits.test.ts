import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { readTraits, type TraitSource } from '../../src/storage/values/overviews/read-traits.ts';
import { callsOf } from '../../src/testing/storage/traits-conformance.ts';
import { PROJECT, startFact } from '../../src/testing/storage/facts.ts';

const SOME = { projectId: PROJECT, filter: {} };
const OTHERS = { projectId: PROJECT, filter: { opNames: { values: ['f'], prefixes: [] } } };

function openGc(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

test('of the ids of very many calls few are held, however many others there are', async () => {
  const gc = openGc();
  gc();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const asked: (readonly string[])[] = [];
  const source: TraitSource = {
    ids: async function* ({ filter }) {
      const isOdd = filter.opNames !== undefined;
      for (let from = 0; from < 50_000; from += 500) {
        const numbers = Array.from({ length: 500 }, (_, index) => from + index).filter((n) => !isOdd || n % 2 === 1);
        // Each of them a kilobyte.
        yield numbers.map((number) => Buffer.from(String(number).padStart(1000, '0')).toString());
      }
      gc();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    },
    calls: async function* ({ filter }) {
      asked.push(filter.callIds ?? []);
      yield [];
    },
  };
  expect(await readTraits(source, { ...SOME, limit: 100 }, {})).toMatchObject({ total: 50_000 });
  expect(await readTraits(source, { ...SOME, without: OTHERS, limit: 100 }, {})).toMatchObject({ total: 25_000 });
  expect(most).toBeLessThan(10_000_000);
  const [all, even] = asked;
  expect(new Set(all).size).toBe(100);
  expect(even?.filter((id) => Number(id) % 2 === 1)).toEqual([]);
  expect(even).toHaveLength(100);
});

test('a read of ids ends with its time', async () => {
  const end = performance.now() + 20_000;
  const source: TraitSource = {
    ids: async function* () {
      for (let from = 0; performance.now() < end; from += 500) {
        yield Array.from({ length: 500 }, (_, index) => String(from + index).padStart(12, '0'));
      }
    },
    calls: async function* () {},
  };
  const late = { code: 'query_timeout' };
  await expect(readTraits(source, { ...SOME, limit: 100 }, { deadlineMs: 20 })).rejects.toMatchObject(late);
  const apart = { ...SOME, without: OTHERS, limit: 100 };
  await expect(readTraits(source, apart, { deadlineMs: 20 })).rejects.toMatchObject(late);
});

test('who is chosen does not hang on the order in which calls were written, nor on what their ids have in common', async () => {
  const ids = Array.from({ length: 4000 }, (_, index) => `018f-0000-${String(index).padStart(6, '0')}`);
  const chosenOf = async (written: readonly string[]) => {
    const { calls, overviews } = openMemoryStorage();
    await calls.write(written.map((id, index) => startFact(id, { trace_id: String(index), op_name: id })));
    if (overviews === undefined) throw new TypeError('The storage has overviews');
    return callsOf(await overviews.traits({ ...SOME, limit: 400 })).map((said) =>
      Number(said.find((text) => text.startsWith('op '))?.slice(-6)),
    );
  };
  const chosen = await chosenOf(ids);
  expect(await chosenOf(ids.toReversed())).toEqual(chosen);
  // Of each tenth of them a tenth; five deviations are 30.
  for (let tenth = 0; tenth < 10; tenth++) {
    const share = chosen.filter((number) => Math.floor(number / 400) === tenth).length;
    expect(Math.abs(share - 40)).toBeLessThan(30);
    expect(Math.abs(chosen.filter((number) => number % 10 === tenth).length - 40)).toBeLessThan(30);
  }
});

import { strict as assert } from 'node:assert';
import type { StoredCall } from '../../storage/contract/calls.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { NEW_YEAR, PROJECT, readIds, startFact } from './facts.ts';
import { planOf } from './plans.ts';

const CALLS = 1500;

/** Long reads: they are cut into chunks, see one moment and can be left. */
export function streamConformance({ contract }: Contracts): void {
  contract('a long read comes in several chunks, complete and in order', async (storage) => {
    await writeMany(storage);
    const sizes: number[] = [];
    const ids: string[] = [];
    for await (const chunk of openAll(storage)) {
      sizes.push(chunk.length);
      ids.push(...chunk.map(({ id }) => id));
    }
    assert.equal(sizes.length > 1, true);
    assert.equal(sizes.includes(0), false);
    assert.deepEqual(ids, await readIds(storage));
    assert.equal(ids.length, CALLS);
  });

  contract(
    'a read sees one moment, a later read sees what came after',
    async (storage) => {
      await writeMany(storage);
      const stream = openAll(storage)[Symbol.asyncIterator]();
      const first = await stream.next();
      await storage.calls.write([startFact('zzz', { started_at: NEW_YEAR + CALLS })]);
      await storage.calls.delete(PROJECT, [idOf(CALLS - 1)], 1);
      assert.equal((await storage.calls.get(PROJECT, 'zzz'))?.id, 'zzz');
      assert.equal((await readIds(storage)).length, CALLS);
      const rest = await drain(stream);
      const all = [...(first.value as readonly StoredCall[]), ...rest].map(({ id }) => id);
      assert.equal(all.length, CALLS);
      assert.equal(all.at(-1), idOf(CALLS - 1));
    },
    'snapshots',
  );

  contract('leaving a read early releases it', async (storage) => {
    await writeMany(storage);
    for (let round = 0; round < 40; round++) {
      for await (const chunk of openAll(storage)) {
        assert.equal(chunk[0]?.id, idOf(0));
        break;
      }
    }
    await storage.calls.write([startFact('after', { started_at: NEW_YEAR + CALLS })]);
    assert.equal((await readIds(storage)).length, CALLS + 1);
  });

  contract('several reads at once do not disturb one another', async (storage) => {
    await writeMany(storage);
    const reads = Array.from({ length: 12 }, () => drain(openAll(storage)[Symbol.asyncIterator]()));
    for (const calls of await Promise.all(reads)) assert.equal(calls.length, CALLS);
  });

  contract('an aborted read rejects', async (storage) => {
    await writeMany(storage);
    const abort = new AbortController();
    const read = async () => {
      for await (const chunk of openAll(storage, abort.signal)) {
        assert.equal(chunk.length > 0, true);
        abort.abort();
      }
    };
    await assert.rejects(read(), { name: 'AbortError' });
    assert.equal((await readIds(storage)).length, CALLS);
  });
}

async function writeMany(storage: Storage): Promise<void> {
  const starts = Array.from({ length: CALLS }, (_, index) => startFact(idOf(index), { started_at: NEW_YEAR + index }));
  await storage.calls.write(starts);
}

function idOf(index: number): string {
  return `c${String(index).padStart(5, '0')}`;
}

function openAll(storage: Storage, signal?: AbortSignal): AsyncIterable<readonly StoredCall[]> {
  const plan = planOf({ project_id: PROJECT });
  return storage.calls.query(plan, signal === undefined ? {} : { signal });
}

async function drain(stream: AsyncIterator<readonly StoredCall[]>): Promise<StoredCall[]> {
  const calls: StoredCall[] = [];
  for (let next = await stream.next(); next.done !== true; next = await stream.next()) calls.push(...next.value);
  return calls;
}

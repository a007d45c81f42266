import { strict as assert } from 'node:assert';
import { digestBytes } from '../../protocol/values/digest.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { countCalls, endFact, newFeedback, newObject, PROJECT, readIds, startFact } from './facts.ts';
import { readOfEachRole, writeOfEachRole } from './promises-conformance.ts';

/** Capabilities to declare; reads of one moment are among contracts of long reads, room among those of retention. */
export function capabilitiesConformance({ contract, reopen }: Contracts): void {
  contract(
    'what was written is there when the storage is opened again',
    async (storage, engine) => {
      await storage.calls.write([startFact('c1'), endFact('c1')]);
      await storage.objects.create(newObject(1));
      await storage.feedback.create(newFeedback('f1'));
      await storage.close();
      assert(reopen, 'Cannot test that the storage is durable: `reopen` is not given');
      const again = await reopen(engine);
      try {
        assert.deepEqual(await readIds(again), ['c1']);
        assert.equal((await again.objects.get(PROJECT, 'settings', 'latest'))?.version_index, 0);
        assert.equal((await again.feedback.list(PROJECT)).length, 1);
      } finally {
        await again.close();
      }
    },
    'durable',
  );

  contract(
    'every role has what was written, and what was deleted stays so, when the storage is opened again',
    async (storage, engine) => {
      await storage.calls.write([startFact('c1'), startFact('c2')]);
      await storage.calls.rename(PROJECT, 'c1', 'Name');
      await storage.calls.delete(PROJECT, ['c2'], 1);
      await writeOfEachRole(storage);
      const before = await readOfEachRole(storage);
      await storage.close();
      assert(reopen, 'Cannot test that the storage is durable: `reopen` is not given');
      const again = await reopen(engine);
      try {
        assert.deepEqual(await readOfEachRole(again), before);
        assert.equal((await again.calls.get(PROJECT, 'c1'))?.display_name, 'Name');
        await again.calls.write([startFact('c2')]);
        assert.deepEqual(await readIds(again), ['c1']);
      } finally {
        await again.close();
      }
    },
    'durable',
  );

  contract(
    'writes that were asked for before the storage is closed are there when it is opened again',
    async (storage, engine) => {
      const ids = Array.from({ length: 50 }, (_, index) => `c${10 + index}`);
      const writes = ids.map((id) => storage.calls.write([startFact(id)]));
      const said = storage.feedback.create(newFeedback('f1'));
      await storage.close();
      await Promise.all([...writes, said]);
      assert(reopen, 'Cannot test that the storage is durable: `reopen` is not given');
      const again = await reopen(engine);
      try {
        assert.deepEqual(await readIds(again), ids);
        assert.equal((await again.feedback.list(PROJECT)).length, 1);
      } finally {
        await again.close();
      }
    },
    'durable',
  );

  contract(
    'every kind of write is seen by the read that comes after it',
    async (_visible, engine) => {
      await engine.calls.write([startFact('c1'), startFact('c2')]);
      assert.equal((await engine.calls.get(PROJECT, 'c1'))?.id, 'c1');
      assert.deepEqual(await readIds(engine), ['c1', 'c2']);
      await engine.calls.rename(PROJECT, 'c1', 'Name');
      assert.equal((await engine.calls.get(PROJECT, 'c1'))?.display_name, 'Name');
      await engine.calls.delete(PROJECT, ['c2'], 1);
      assert.equal(await countCalls(engine), 1);
      await engine.objects.create(newObject(1));
      assert.equal((await engine.objects.get(PROJECT, 'settings', 'v0'))?.version_index, 0);
      await engine.feedback.create(newFeedback('f1'));
      assert.equal((await engine.feedback.list(PROJECT)).length, 1);
      const bytes = Buffer.from('x');
      await engine.files.create({ project_id: PROJECT, digest: digestBytes(bytes), name: 'f', bytes });
      assert.equal(await engine.files.totalBytes(PROJECT), 1);
    },
    'readYourWrites',
  );

  contract(
    'of a batch a reader sees all or nothing',
    async (storage) => {
      const batch = Array.from({ length: 500 }, (_, index) => startFact(`c${index}`));
      const seen = await countWhile(storage, storage.calls.write(batch));
      assert.deepEqual(
        seen.filter((count) => count !== 0 && count !== batch.length),
        [],
      );
      assert.equal(await countCalls(storage), batch.length);
    },
    'atomicBatches',
  );

  contract(
    'writes that were answered are counted',
    async (storage) => {
      const before = storage.writeQueue?.().writtenCount ?? 0;
      await storage.calls.write([startFact('c1')]);
      const { waitingCount, waitingBytes, writtenCount } = storage.writeQueue?.() ?? {};
      assert.deepEqual([waitingCount, waitingBytes, writtenCount], [0, 0, before + 1]);
    },
    'writeQueue',
  );

  contract(
    'commits that writes share are counted',
    async (storage) => {
      const before = groupsOf(storage);
      await Promise.all(Array.from({ length: 20 }, (_, index) => storage.calls.write([startFact(`c${index}`)])));
      const groups = groupsOf(storage) - before;
      assert(groups >= 1 && groups <= 20, `20 writes had ${groups} commits`);
    },
    'writeQueue.groupCount',
  );
}

/** How many calls there are, again and again until something is done. */
async function countWhile(storage: Storage, work: Promise<unknown>): Promise<number[]> {
  const seen: number[] = [];
  const progress = { isDone: false };
  const done = work.finally(() => {
    progress.isDone = true;
  });
  do {
    seen.push(await countCalls(storage));
    await new Promise((resolve) => setImmediate(resolve));
  } while (!progress.isDone);
  await done;
  return seen;
}

function groupsOf({ writeQueue }: Storage): number {
  const count = writeQueue?.().groupCount;
  assert(count !== undefined, 'The storage counts no groups');
  return count;
}

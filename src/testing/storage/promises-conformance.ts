import { strict as assert } from 'node:assert';
import { digestBytes } from '../../protocol/values/digest.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { newCost } from './costs-conformance.ts';
import { countCalls, newFeedback, newObject, NEW_YEAR, PROJECT, readIds, startFact } from './facts.ts';
import { planOf } from './plans.ts';
import { newView } from './views-conformance.ts';

/** The duties of an engine whatever it is asked, and whatever else it does at the same time. */
export function promisesConformance({ contract }: Contracts): void {
  contract('what a storage can do stays the same while it is open', async (storage, engine) => {
    const before = { ...engine.capabilities };
    await storage.calls.write([startFact('c1')]);
    await readIds(storage);
    assert.deepEqual({ ...engine.capabilities }, before);
  });

  contract('what a read of any role gives is a copy', async (storage) => {
    await writeOfEachRole(storage);
    for (const [role, read] of Object.entries(READS)) {
      const before = structuredClone(await read(storage));
      for (const record of await read(storage)) deface(record);
      assert.deepEqual(await read(storage), before, `The storage keeps what was done with its ${role}`);
    }
  });

  contract('calls that stay as they are are read once and in order while others come and go', async (storage) => {
    const ids = Array.from({ length: 1200 }, (_, index) => `c${String(index).padStart(5, '0')}`);
    await storage.calls.write(ids.map((id, index) => startFact(id, { started_at: NEW_YEAR + 2 * index })));
    const seen: string[] = [];
    let round = 0;
    for await (const chunk of storage.calls.query(planOf({ project_id: PROJECT }))) {
      seen.push(...chunk.map(({ id }) => id));
      // One that was read goes and two come before it: what was read has other places now.
      await storage.calls.delete(PROJECT, [chunk[0]?.id ?? ''], 1);
      const before = NEW_YEAR - 2 * ++round;
      await storage.calls.write([0, 1].map((side) => startFact(`new-${round}-${side}`, { started_at: before + side })));
    }
    assert.deepEqual(
      seen.filter((id) => !id.startsWith('new-')),
      ids,
    );
  });

  contract('of writes at once those that are refused are refused for now and have written nothing', async (storage) => {
    const batches = Array.from({ length: 200 }, (_, index) => [startFact(`a${index}`), startFact(`b${index}`)]);
    const answers = await Promise.allSettled(batches.map((batch) => storage.calls.write(batch)));
    const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    assert.deepEqual(
      refused.map(({ reason }) => (reason as { readonly code?: unknown }).code),
      refused.map(() => 'rate_limited'),
    );
    assert.equal(await countCalls(storage), 2 * (batches.length - refused.length));
  });

  contract('a deletion under a key that is known deletes nothing and tells what the first one did', async (storage) => {
    await storage.objects.create(newObject(1));
    const first = await storage.objects.delete(PROJECT, 'settings', [], 1, 'key');
    await storage.objects.create(newObject(2));
    assert.deepEqual(await storage.objects.delete(PROJECT, 'settings', [], 2, 'key'), first);
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'latest'))?.deleted_at, null);
  });
}

/** Records of each role, as a list of them or the one that is named. */
const READS: Readonly<Record<string, (storage: Storage) => Promise<readonly object[]>>> = {
  objects: async ({ objects }) => [(await objects.get(PROJECT, 'settings', 'latest')) ?? {}],
  feedback: ({ feedback }) => feedback.list(PROJECT),
  files: async ({ files }) => [(await files.get(PROJECT, digestBytes(BYTES)))?.bytes ?? {}],
  costs: ({ costs }) => costs.list(PROJECT),
  views: ({ views }) => views.list(PROJECT),
};

const BYTES = Buffer.from('file');

/** One record of each role but tables and calls. */
export async function writeOfEachRole(storage: Storage): Promise<void> {
  await storage.objects.create(newObject(1));
  await storage.feedback.create(newFeedback('f1'));
  await storage.files.create({ project_id: PROJECT, digest: digestBytes(BYTES), name: 'f', bytes: BYTES });
  await storage.costs.create([newCost('m')]);
  await storage.views.save(newView('v'));
}

export async function readOfEachRole(storage: Storage): Promise<readonly (readonly object[])[]> {
  return await Promise.all(Object.values(READS).map((read) => read(storage)));
}

/** Whoever gets a record may do so, if it lets him. */
function deface(record: object): void {
  if (ArrayBuffer.isView(record)) new Uint8Array(record.buffer, record.byteOffset, record.byteLength).fill(0);
  else for (const key of Object.keys(record)) Reflect.set(record, key, 'changed');
}

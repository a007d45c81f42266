import { strict as assert } from 'node:assert';
import type { Contracts } from './contract.ts';
import { countCalls, endFact, PROJECT, readIds, startFact } from './facts.ts';

/** Deletion: it takes everything below along, and it is for good. */
export function deletionConformance({ contract }: Contracts): void {
  contract('a deleted call is in no read', async (storage) => {
    const ref = 'svc:///acme/demo/object/a:v1';
    await storage.calls.write([startFact('c1', { input_refs: [ref] }), endFact('c1'), startFact('c2')]);
    assert.equal(await storage.calls.delete(PROJECT, ['c1'], 1), 1);
    assert.equal(await storage.calls.get(PROJECT, 'c1'), undefined);
    assert.deepEqual(await readIds(storage), ['c2']);
    assert.deepEqual(await readIds(storage, { filter: { input_refs: [ref] } }), []);
    assert.deepEqual(await readIds(storage, { filter: { call_ids: ['c1'] } }), []);
    assert.equal(await countCalls(storage), 1);
  });

  contract('deleting a call deletes everything below it', async (storage) => {
    await storage.calls.write([
      startFact('root'),
      startFact('child', { parent_id: 'root' }),
      startFact('grandchild', { parent_id: 'child' }),
      startFact('other'),
      startFact('root', { project_id: 'acme/other' }),
      startFact('child', { project_id: 'acme/other', parent_id: 'root' }),
    ]);
    assert.equal(await storage.calls.delete(PROJECT, ['root'], 1), 3);
    assert.deepEqual(await readIds(storage), ['other']);
    assert.deepEqual(await readIds(storage, { project_id: 'acme/other' }), ['child', 'root']);
  });

  contract('a cycle of parents is deleted once', async (storage) => {
    await storage.calls.write([
      startFact('a', { parent_id: 'c' }),
      startFact('b', { parent_id: 'a' }),
      startFact('c', { parent_id: 'b' }),
      startFact('self', { parent_id: 'self' }),
    ]);
    assert.equal(await storage.calls.delete(PROJECT, ['b', 'a', 'self'], 1), 4);
    assert.deepEqual(await readIds(storage), []);
  });

  contract('a chain of ten thousand parents is deleted as a whole', async (storage) => {
    const chain = Array.from({ length: 10_000 }, (_, index) => {
      return startFact(`c${index}`, { parent_id: index === 0 ? null : `c${index - 1}` });
    });
    await storage.calls.write(chain);
    assert.equal(await storage.calls.delete(PROJECT, ['c0'], 1), 10_000);
    assert.equal(await countCalls(storage), 0);
  });

  contract('unknown, pending and deleted calls do not count as deleted', async (storage) => {
    await storage.calls.write([startFact('gone'), endFact('pending')]);
    assert.equal(await storage.calls.delete(PROJECT, ['gone'], 1), 1);
    assert.equal(await storage.calls.delete(PROJECT, ['gone', 'pending', 'unknown'], 2), 0);
    await storage.calls.write([startFact('pending')]);
    assert.deepEqual(await readIds(storage), ['pending']);
    assert.equal(await storage.calls.delete(PROJECT, [], 3), 0);
  });

  contract('a deleted id never comes back and answers with its stored trace', async (storage) => {
    await storage.calls.write([startFact('c1')]);
    await storage.calls.delete(PROJECT, ['c1'], 1);
    const later = [startFact('c1', { trace_id: 'other' }), endFact('c1')];
    assert.deepEqual(await storage.calls.write(later), [
      { id: 'c1', trace_id: 'trace-of-c1' },
      { id: 'c1', trace_id: 'trace-of-c1' },
    ]);
    assert.equal(await storage.calls.get(PROJECT, 'c1'), undefined);
    assert.deepEqual(await readIds(storage), []);
  });

  contract(
    'a child that starts below a deleted call is visible, and goes with the call above both',
    async (storage) => {
      await storage.calls.write([startFact('top'), startFact('middle', { parent_id: 'top' })]);
      await storage.calls.delete(PROJECT, ['middle'], 1);
      await storage.calls.write([startFact('late', { parent_id: 'middle', trace_id: null })]);
      assert.deepEqual(await readIds(storage), ['late', 'top']);
      assert.equal((await storage.calls.get(PROJECT, 'late'))?.trace_id, 'trace-of-middle');
      assert.equal(await storage.calls.delete(PROJECT, ['top'], 2), 2);
    },
  );
}

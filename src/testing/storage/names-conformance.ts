import { strict as assert } from 'node:assert';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { endFact, PROJECT, startFact } from './facts.ts';

type Source = 'start' | 'end' | 'update';

/** Every order in which a start, an end and an update can arrive. */
const ORDERS: readonly (readonly Source[])[] = [
  ['start', 'end', 'update'],
  ['start', 'update', 'end'],
  ['end', 'start', 'update'],
  ['end', 'update', 'start'],
  ['update', 'start', 'end'],
  ['update', 'end', 'start'],
];

/** Who may name a call, and what the empty name means. */
export function namesConformance({ contract }: Contracts): void {
  for (const order of ORDERS) {
    contract(
      `a name from an update beats all others when ${order.join(', ')} arrive in this order`,
      async (storage) => {
        for (const source of order) await write(storage, source, `from ${source}`);
        assert.equal(await nameOf(storage), 'from update');
      },
    );
  }

  for (const order of [['start', 'end'] as const, ['end', 'start'] as const]) {
    contract(`a name from an end beats the start's when ${order.join(', ')} arrive in this order`, async (storage) => {
      for (const source of order) await write(storage, source, `from ${source}`);
      assert.equal(await nameOf(storage), 'from end');
    });
  }

  contract('an end without a name leaves the name', async (storage) => {
    await storage.calls.write([startFact('c1', { display_name: 'named' }), endFact('c1')]);
    assert.equal(await nameOf(storage), 'named');
  });

  contract('an empty name clears and is read as none', async (storage) => {
    await storage.calls.write([startFact('c1', { display_name: 'named' }), endFact('c1', { display_name: '' })]);
    assert.equal(await nameOf(storage), null);
    await storage.calls.rename(PROJECT, 'c1', 'again');
    await storage.calls.rename(PROJECT, 'c1', '');
    await storage.calls.write([endFact('c1', { display_name: 'too late' })]);
    assert.equal(await nameOf(storage), null);
  });

  contract('of several ends the last name counts, of several updates too', async (storage) => {
    await storage.calls.write([startFact('c1'), endFact('c1', { display_name: 'one' })]);
    await storage.calls.write([endFact('c1', { display_name: 'two' }), endFact('c1')]);
    assert.equal(await nameOf(storage), 'two');
    await storage.calls.rename(PROJECT, 'c1', 'three');
    await storage.calls.rename(PROJECT, 'c1', 'four');
    assert.equal(await nameOf(storage), 'four');
  });

  contract('of several starts the first name counts', async (storage) => {
    await storage.calls.write([startFact('c1', { display_name: 'one' }), startFact('c1', { display_name: 'two' })]);
    assert.equal(await nameOf(storage), 'one');
  });

  contract('an update of an unknown call is remembered and shows nothing', async (storage) => {
    await storage.calls.rename(PROJECT, 'c1', 'early');
    assert.equal(await storage.calls.get(PROJECT, 'c1'), undefined);
    await storage.calls.write([startFact('c1')]);
    assert.equal(await nameOf(storage), 'early');
  });

  contract('a deleted call cannot be renamed', async (storage) => {
    await storage.calls.write([startFact('c1')]);
    await storage.calls.delete(PROJECT, ['c1'], 1);
    await assert.rejects(storage.calls.rename(PROJECT, 'c1', 'x'), { code: 'call_deleted' });
  });
}

async function write(storage: Storage, source: Source, name: string): Promise<void> {
  if (source === 'update') await storage.calls.rename(PROJECT, 'c1', name);
  else if (source === 'start') await storage.calls.write([startFact('c1', { display_name: name })]);
  else await storage.calls.write([endFact('c1', { display_name: name })]);
}

async function nameOf(storage: Storage): Promise<string | null | undefined> {
  return (await storage.calls.get(PROJECT, 'c1'))?.display_name;
}

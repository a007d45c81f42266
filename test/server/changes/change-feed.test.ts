import { expect, test } from 'vitest';
import { type CallChange, ChangeFeed } from '../../../src/server/changes/change-feed.ts';
import { packFacts } from '../../../src/storage/packed/packed-facts.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { endFact, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';

async function watched() {
  const feed = new ChangeFeed();
  const storage = feed.watch(await openStorage({ engine: 'sqlite' }));
  const changes: CallChange[] = [];
  const leave = feed.listen(PROJECT, (change) => changes.push(change));
  return { feed, storage, changes, leave };
}

test('a listener hears of each write of its project, each call once', async () => {
  const { storage, changes } = await watched();
  await storage.calls.write([
    startFact('a'),
    endFact('a'),
    startFact('b'),
    startFact('c', { project_id: 'acme/other' }),
  ]);
  await storage.packed?.writeCalls(packFacts([startFact('d')]));
  await storage.calls.rename(PROJECT, 'a', 'name');
  await storage.calls.delete(PROJECT, ['b'], 1);
  await storage.calls.delete(PROJECT, ['unknown'], 1);
  expect(changes).toEqual([
    { kind: 'written', projectId: PROJECT, ids: ['a', 'b'] },
    { kind: 'written', projectId: PROJECT, ids: ['d'] },
    { kind: 'written', projectId: PROJECT, ids: ['a'] },
    { kind: 'deleted', projectId: PROJECT, ids: ['b'] },
  ]);
  await storage.close();
});

test('what a listener hears of can be read', async () => {
  const { feed, storage } = await watched();
  const found: Promise<unknown>[] = [];
  feed.listen(PROJECT, ({ ids }) => found.push(storage.calls.get(PROJECT, ids[0] ?? '')));
  await storage.calls.write([startFact('a')]);
  expect(await Promise.all(found)).toEqual([expect.objectContaining({ id: 'a' })]);
  await storage.close();
});

test('nobody hears of a write that was refused, or after leaving', async () => {
  const { feed, storage, changes, leave } = await watched();
  leave();
  const heard: CallChange[] = [];
  feed.listen(PROJECT, (change) => heard.push(change));
  await storage.calls.write([startFact('a')]);
  await storage.close();
  await expect(storage.calls.write([startFact('b')])).rejects.toThrow('closed');
  expect(changes).toEqual([]);
  expect(heard.map(({ ids }) => ids)).toEqual([['a']]);
});

import { strict as assert } from 'node:assert';
import type { StoredView } from '../../storage/contract/views.ts';
import type { Contracts } from './contract.ts';
import { NEW_YEAR, PROJECT, SECOND } from './facts.ts';

const OTHER = 'acme/other';

/** Saved views of lists. */
export function viewsConformance({ contract }: Contracts): void {
  contract('a view comes back as it was saved', async (storage) => {
    const view = newView('a', { name: 'Fehler\0 "ü"', query: 'f=status%3Aerror', columns: ['name', 'cost', 'a,b'] });
    assert.deepEqual(publicPart(await storage.views.save(view)), publicPart(view));
    assert.deepEqual((await storage.views.list(PROJECT)).map(publicPart), [publicPart(view)]);
  });

  contract('a view that is saved again keeps its place and its maker', async (storage) => {
    const first = await storage.views.save(newView('a', { name: 'first' }));
    await storage.views.save(newView('b', { name: 'second', created_at: NEW_YEAR + SECOND }));
    const again = newView(first.id, {
      name: 'third',
      created_at: NEW_YEAR + 2 * SECOND,
      svc_user_id: first.svc_user_id,
    });
    const saved = await storage.views.save(again);
    assert.deepEqual([saved.name, saved.created_at], ['third', first.created_at]);
    assert.deepEqual(
      (await storage.views.list(PROJECT)).map(({ name }) => name),
      ['third', 'second'],
    );
  });

  contract('a deleted view is gone, and only that', async (storage) => {
    const { id } = await storage.views.save(newView('a', { name: 'a' }));
    await storage.views.save(newView('b', { name: 'b', created_at: NEW_YEAR + SECOND }));
    assert.equal(await storage.views.delete(PROJECT, id), true);
    assert.equal(await storage.views.delete(PROJECT, id), false);
    assert.deepEqual(
      (await storage.views.list(PROJECT)).map(({ name }) => name),
      ['b'],
    );
  });

  contract('views belong to their project', async (storage) => {
    const { id } = await storage.views.save(newView('a'));
    assert.deepEqual(await storage.views.list(OTHER), []);
    assert.equal(await storage.views.delete(OTHER, id), false);
    assert.equal((await storage.views.list(PROJECT)).length, 1);
  });
}

export function newView(id: string, fields: Partial<StoredView> = {}): StoredView {
  return {
    project_id: PROJECT,
    id,
    name: 'view',
    query: '',
    columns: [],
    created_at: NEW_YEAR,
    updated_at: NEW_YEAR,
    svc_user_id: 'ada',
    ...fields,
  };
}

/** A service gives the ids, the times and the maker. */
function publicPart({ project_id, name, query, columns }: StoredView) {
  return { project_id, name, query, columns };
}

import { strict as assert } from 'node:assert';
import type { StoredCost } from '../../storage/contract/costs.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { NEW_YEAR, PROJECT, SECOND } from './facts.ts';

/** Prices of models. */
export function costsConformance({ contract }: Contracts): void {
  contract('a price comes back as it was written', async (storage) => {
    const cost = newCost('ü-model\0 "x"', {
      prompt_token_cost: 1e-7,
      completion_token_cost: 0.1,
      prompt_token_cost_unit: 'EUR',
      effective_date: NEW_YEAR + 1,
      provider_id: 'someone',
    });
    await storage.costs.create([cost]);
    const [read] = await storage.costs.list(PROJECT);
    assert.deepEqual(publicPart(read), publicPart(cost));
  });

  contract('a price whose fields are whole numbers stays one', async (storage) => {
    await storage.costs.create([newCost('m', { prompt_token_cost: 0, completion_token_cost: 3 })]);
    const [read] = await storage.costs.list(PROJECT);
    assert.deepEqual([read?.prompt_token_cost, read?.completion_token_cost], [0, 3]);
  });

  contract('a price of cached and reasoning tokens is kept apart from none', async (storage) => {
    const kinds = { cache_read_input_token_cost: 1e-9, cache_creation_input_token_cost: 0, reasoning_token_cost: 2 };
    const costs = [newCost('all', kinds), ...Object.keys(kinds).map((key) => newCost(key, { [key]: null }))];
    await storage.costs.create(costs);
    const read = await storage.costs.list(PROJECT);
    // A service gives the ids, by which prices of one time are ordered.
    const byModel = new Map(read.map((cost) => [cost.llm_id, publicPart(cost)]));
    assert.deepEqual(byModel, new Map(costs.map((cost) => [cost.llm_id, publicPart(cost)])));
  });

  contract('prices are listed in the order of their creation', async (storage) => {
    const models = ['c', 'a', 'b'];
    for (const [index, model] of models.entries()) {
      // Later prices have smaller ids.
      const id = `cost-${String(models.length - index)}`;
      await storage.costs.create([newCost(model, { id, created_at: NEW_YEAR + index * SECOND })]);
      await nextMillisecond();
    }
    assert.deepEqual(await modelsOf(storage), models);
  });

  contract('a model may have several prices', async (storage) => {
    await storage.costs.create([newCost('m')]);
    await storage.costs.create([newCost('m')]);
    assert.deepEqual(await modelsOf(storage), ['m', 'm']);
  });

  contract('a purge removes the named prices and leaves the others', async (storage) => {
    await storage.costs.create([newCost('a'), newCost('b'), newCost('c')]);
    const costs = await storage.costs.list(PROJECT);
    const ids = costs.filter(({ llm_id }) => llm_id !== 'b').map(({ id }) => id);
    await storage.costs.purge(PROJECT, [...ids, 'nobody']);
    assert.deepEqual(await modelsOf(storage), ['b']);
  });

  contract('prices belong to their project', async (storage) => {
    await storage.costs.create([newCost('a')]);
    const [cost] = await storage.costs.list(PROJECT);
    await storage.costs.purge('acme/other', [cost?.id ?? '']);
    assert.deepEqual(await storage.costs.list('acme/other'), []);
    assert.deepEqual(await modelsOf(storage), ['a']);
  });
}

let made = 0;

export function newCost(model: string, fields: Partial<StoredCost> = {}): StoredCost {
  return {
    project_id: PROJECT,
    id: `cost-${made++}`,
    llm_id: model,
    prompt_token_cost: 0.00001,
    completion_token_cost: 0.00003,
    cache_read_input_token_cost: 0.000001,
    cache_creation_input_token_cost: null,
    reasoning_token_cost: null,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date: NEW_YEAR,
    provider_id: 'default',
    created_by: 'user-1',
    created_at: NEW_YEAR,
    ...fields,
  };
}

async function modelsOf(storage: Storage): Promise<string[]> {
  return (await storage.costs.list(PROJECT)).map(({ llm_id }) => llm_id);
}

/** A service gives ids and times itself, and tells nobody who wrote a price and when. */
function publicPart(cost: StoredCost | undefined): Partial<StoredCost> {
  const { id: _id, created_at: _at, created_by: _by, ...fields } = cost ?? newCost('missing');
  return fields;
}

/** A service takes the time of its clock, which counts milliseconds. */
async function nextMillisecond(): Promise<void> {
  const start = Date.now();
  while (Date.now() === start) await new Promise((resolve) => setImmediate(resolve));
}

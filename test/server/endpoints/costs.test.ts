import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whole } from '../recorder.ts';
import { PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut, refuses } from './refusals.ts';

let server: RunningServer;
let ids: string[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const ENTRY = {
  prompt_token_cost: 0.00001,
  completion_token_cost: 0.00003,
  cache_read_input_token_cost: 0.000001,
  cache_creation_input_token_cost: 0.0000125,
  reasoning_token_cost: 0.00004,
  prompt_token_cost_unit: 'EUR',
  completion_token_cost_unit: 'CHF',
  effective_date: '2024-01-01T00:00:00Z',
  provider_id: 'openai',
};
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/) as string;
const inProject = (fields: object) => ({ project_id: PROJECT, ...fields });
const query = (field: string) => ({ $expr: { $eq: [{ $getField: field }, { $literal: 'gpt-x' }] } });

describe('/cost/create', () => {
  test('stores every field', async () => {
    const costs = { 'gpt-x': ENTRY, 'gpt-y': { prompt_token_cost: 0, completion_token_cost: 1 } };
    const answer = await server.post('/cost/create', inProject({ costs, svc_user_id: 'local' }));
    expect(whole(answer)).toEqual([
      200,
      {
        ids: [
          [ID, 'gpt-x'],
          [ID, 'gpt-y'],
        ],
      },
    ]);
    ids = (answer.body as { ids: [string, string][] }).ids.map(([id]) => id);
  });

  refuses('costCreate', [
    {
      code: 'validation_error',
      what: 'a price as text',
      body: inProject({ costs: { m: { ...ENTRY, prompt_token_cost: '1' } } }),
    },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x', costs: {} } },
    {
      code: 'invalid_request',
      what: 'a negative price',
      body: inProject({ costs: { m: { ...ENTRY, completion_token_cost: -1 } } }),
    },
    { code: 'invalid_request', what: 'a model without a name', body: inProject({ costs: { '': ENTRY } }) },
    {
      code: 'too_many_items',
      what: 'many models',
      body: inProject({ costs: { m: ENTRY } }),
      limits: { costs_per_create: 0 },
    },
    { code: 'user_id_not_allowed', what: 'another user', body: inProject({ costs: {}, svc_user_id: 'other' }) },
  ]);
  leavesNothingOut('costCreate');
});

describe('/cost/query', () => {
  test('takes every field and answers whole prices', async () => {
    const everything = await server.post('/cost/query', inProject({ query: query('llm_id') }));
    expect(whole(everything)).toEqual([200, { results: [{ id: ids[0], llm_id: 'gpt-x', ...ENTRY }] }]);
    const request = {
      fields: ['llm_id', 'provider_id'],
      query: { $expr: { $gte: [{ $getField: 'prompt_token_cost' }, { $literal: 0 }] } },
      sort_by: [{ field: 'llm_id', direction: 'desc' }],
      limit: 1,
      offset: 1,
    };
    const nothing = Object.fromEntries(Object.keys(ENTRY).map((key) => [key, null]));
    expect(whole(await server.post('/cost/query', inProject(request)))).toEqual([
      200,
      {
        results: [{ id: null, ...nothing, llm_id: 'gpt-x', provider_id: 'openai' }],
      },
    ]);
  });

  refuses('costQuery', [
    { code: 'validation_error', what: 'a limit as text', body: inProject({ limit: '1' }) },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x' } },
    { code: 'invalid_request', what: 'a negative limit', body: inProject({ limit: -1 }) },
    { code: 'invalid_field', what: 'an unknown field', body: inProject({ fields: ['nothing'] }) },
    { code: 'invalid_field', what: 'an unknown field in the query', body: inProject({ query: query('nothing') }) },
    {
      code: 'too_many_items',
      what: 'many sort items',
      body: inProject({ sort_by: [{ field: 'id', direction: 'asc' }] }),
      limits: { sort_items: 0 },
    },
    { code: 'query_timeout', what: 'a slow read', body: inProject({}), slow: 'costs' },
  ]);
  leavesNothingOut('costQuery');
});

describe('/cost/purge', () => {
  const purge = (...given: unknown[]) =>
    inProject({ query: { $expr: { $in: [{ $getField: 'id' }, given.map((id) => ({ $literal: id }))] } } });

  test('removes prices', async () => {
    expect(whole(await server.post('/cost/purge', purge(...ids, 'unknown')))).toEqual([200, {}]);
    expect((await server.post('/cost/query', inProject({}))).body).toEqual({ results: [] });
  });

  refuses('costPurge', [
    { code: 'validation_error', what: 'no query', body: inProject({}) },
    { code: 'invalid_project_id', what: 'no project', body: { ...purge(), project_id: 'x' } },
    { code: 'invalid_request', what: 'another field', body: inProject({ query: query('llm_id') }) },
    { code: 'invalid_request', what: 'an id that is no text', body: purge(1) },
    { code: 'too_many_items', what: 'many ids', body: purge('a'), limits: { in_items: 0 } },
  ]);
  leavesNothingOut('costPurge');
});

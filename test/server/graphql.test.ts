import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/server/keys/keys.ts';
import { wholeError } from './recorder.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

const PATH = '/dialect/w/graphql';

/** What the vendor's clients send, as their users see it on the wire. */
const VIEWER = 'query DefaultEntity { viewer { username defaultEntity { name } } }';
const GET_PROJECT = 'query Project($n: String!, $e: String!) { project(name: $n, entityName: $e) { name } }';
const UPSERT = `mutation UpsertModel($name: String!, $id: String, $entity: String!, $description: String, $repo: String) {
  upsertModel(input: { id: $id, name: $name, entityName: $entity, description: $description, repo: $repo }) {
    model { name description }
  }
}`;

let server: RunningServer;
let limited: string;
beforeAll(async () => {
  server = await startServer({ storage: 'sqlite' });
  limited = createKey(server.dataDir ?? '', { name: 'ci', entities: ['acme', 'other'] }).key;
});
afterAll(() => server.close());

const ask = async (query: string, variables: object = {}, key = server.apiKey) => {
  const { status, body } = await server.post(PATH, { query, variables }, { authorization: `Bearer ${key}` });
  return [status, body];
};

describe('what clients of the vendor ask before they trace', () => {
  test('their user and entity are those of the key', async () => {
    const viewer = (username: string, name: string) => ({ data: { viewer: { username, defaultEntity: { name } } } });
    expect(await ask(VIEWER)).toEqual([200, viewer('local', 'local')]);
    expect(await ask(VIEWER, {}, limited)).toEqual([200, viewer('ci', 'acme')]);
  });

  test('every project that the key may use is there, and is made by being named', async () => {
    expect(await ask(GET_PROJECT, { n: 'demo', e: 'acme' }, limited)).toEqual([
      200,
      { data: { project: { name: 'demo' } } },
    ]);
    const named = { name: 'new', entity: 'other' };
    const model = { name: 'new', description: null };
    expect(await ask(UPSERT, named, limited)).toEqual([200, { data: { upsertModel: { model } } }]);
  });

  test.each([
    ['another entity', { n: 'demo', e: 'foe' }, { extensions: { code: 'PERMISSION_ERROR' } }],
    ['no project', { n: 'a/b', e: 'acme' }, { message: 'Cannot use "acme/a/b" as a project' }],
    ['no name', { n: '', e: 'acme' }, { message: 'Cannot use "acme/" as a project' }],
  ])('%s is an error, and no project', async (_what, variables, error) => {
    expect(await ask(GET_PROJECT, variables, limited)).toMatchObject([
      200,
      { data: { project: null }, errors: [error] },
    ]);
  });

  test('what this is not the server for is an error in its own words', async () => {
    expect(await ask('query { artifact(id: "x") { id } }')).toMatchObject([
      200,
      { errors: [{ message: 'Cannot query field "artifact" on type "Query".' }] },
    ]);
    expect(await ask('query {')).toMatchObject([
      200,
      { errors: [{ message: expect.stringContaining('Syntax Error') as string }] },
    ]);
    const deep = `query ${'{ viewer '.repeat(2000)}${'}'.repeat(2000)}`;
    expect(await ask(deep)).toMatchObject([
      200,
      { errors: [{ message: expect.stringContaining('tokens') as string }] },
    ]);
  });

  test.each([
    ['another key', { query: VIEWER }, 'unauthenticated', { authorization: 'Bearer other' }],
    ['a list', [], 'invalid_request', {}],
    ['no query', { variables: {} }, 'invalid_request', {}],
    ['no JSON', '{', 'invalid_json', {}],
    ['a long body', { query: ' '.repeat(70_000) }, 'payload_too_large', {}],
  ] as const)('%s is refused like everywhere', async (_what, body, code, headers) => {
    const answer = await server.post(PATH, body, headers);
    expect([answer.status, answer.body]).toEqual(wholeError(answer, code));
  });

  test('it is there in their dialect only', async () => {
    for (const path of ['/graphql', '/dialect/native/graphql']) {
      expect((await server.post(path, { query: VIEWER })).status).toBe(404);
      expect((await server.get(path)).status).toBe(404);
    }
    expect((await server.post('/graphql', { query: VIEWER }, { 'svc-dialect': 'w' })).status).toBe(404);
    expect((await server.post(`${PATH}/`, { query: VIEWER })).status).toBe(200);
    const get = await server.get(PATH);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('the service is found below the address of the account server', async () => {
    const read = { project_id: PROJECT, id: 'c1' };
    expect((await server.post('/dialect/w/traces/call/read', read)).body).toEqual({ call: null });
    expect((await server.get('/dialect/w/traces/server_info')).status).toBe(200);
    expect((await server.post('/dialect/w/otel/v1/traces', {})).status).toBe(200);
    expect((await server.post('/dialect/w/traces/otel/v1/traces', {})).status).toBe(200);
    expect((await server.post('/traces/call/read', read)).status).toBe(404);
    expect((await server.post('/dialect/w/traces', read)).status).toBe(404);
  });
});

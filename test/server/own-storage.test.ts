import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReader } from '../../src/reader/reader.ts';
import { createServer, type ServerOptions } from '../../src/server/create-server.ts';
import { createKey } from '../../src/server/keys/keys.ts';
import { SegmentWriter } from '../../src/spool/segment-writer.ts';
import { openExampleStorage } from '../../examples/storage-engine/engine.ts';

const PROJECT = 'acme/demo';

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'spoor-own-storage-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

async function start(options: ServerOptions) {
  const storage = await openExampleStorage();
  const server = await createServer({ storage, port: 0, logLevel: 'silent', ...options });
  onTestFinished(async () => await server.close());
  return server;
}

function readerOf(server: { readonly url: string }, apiKey: string) {
  return createReader({ url: server.url, apiKey, project: PROJECT });
}

test('with a state folder there are keys, which a restart keeps, and keys that are made meanwhile', async () => {
  const home = makeHome();
  const first = await start({ home });
  expect(first.dataDir).toBe(join(home, 'data'));
  expect(first.databaseFile).toBeUndefined();
  const { key } = createKey(join(home, 'data'), { name: 'ci' });
  expect(await readerOf(first, key).costs.query()).toEqual([]);
  await first.close();
  const second = await start({ home });
  expect(second.apiKey).toBe(first.apiKey);
  expect(await readerOf(second, key).costs.query()).toEqual([]);
  expect(existsSync(join(home, 'data', 'spoor.db'))).toBe(false);
});

test('keys may be in a folder of their own, away from the state folder', async () => {
  const [home, dataDir] = [makeHome(), makeHome()];
  const server = await start({ home, dataDir });
  const { key } = createKey(dataDir, { name: 'ci' });
  expect(await readerOf(server, key).costs.query()).toEqual([]);
  expect(existsSync(join(home, 'data'))).toBe(false);
});

test('without any folder the key is the given one, or one of this start', async () => {
  const given = await start({ apiKey: 'given' });
  expect([given.apiKey, given.dataDir]).toEqual(['given', undefined]);
  expect(await readerOf(given, 'given').costs.query()).toEqual([]);
  const made = await start({});
  expect(await readerOf(made, made.apiKey).costs.query()).toEqual([]);
  await expect(readerOf(made, 'given').costs.query()).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('prices of projects are kept by the engine, and those of the service come with it', async () => {
  const prices = [{ llm_id: 'ours', prompt_token_cost: 1, completion_token_cost: 2 }];
  const server = await start({ prices });
  const reader = readerOf(server, server.apiKey);
  const effective_date = '2025-01-01T00:00:00Z';
  await reader.costs.create({ theirs: { prompt_token_cost: 3, completion_token_cost: 4, effective_date } });
  expect((await reader.costs.query()).map(({ llm_id }) => llm_id)).toContain('theirs');
  const usage = { ours: { input_tokens: 10, output_tokens: 1 }, theirs: { input_tokens: 1, output_tokens: 1 } };
  await reader.calls.write([
    { mode: 'start', req: { start: startOf('c1') } },
    { mode: 'end', req: { end: { ...endOf('c1'), summary: { usage } } } },
  ]);
  const call = await reader.calls.get('c1', { include_costs: true });
  expect(call?.summary?.['svc']).toMatchObject({
    costs: {
      ours: { prompt_tokens_total_cost: 10, completion_tokens_total_cost: 2 },
      theirs: { prompt_tokens_total_cost: 3, completion_tokens_total_cost: 4 },
    },
  });
});

test('what programs of the state folder have left is picked up', async () => {
  const home = makeHome();
  const writer = new SegmentWriter(home, { url: null, project: PROJECT });
  writer.append(Buffer.from(`${JSON.stringify({ mode: 'start', req: { start: startOf('left') } })}\n`));
  writer.close().release();
  const server = await start({ home });
  const reader = readerOf(server, server.apiKey);
  await expect.poll(async () => (await reader.calls.get('left'))?.id, { timeout: 10_000 }).toBe('left');
});

const startOf = (id: string) => ({
  project_id: PROJECT,
  id,
  op_name: 'f',
  trace_id: 't',
  started_at: '2026-01-01T00:00:00Z',
  attributes: {},
  inputs: {},
});

const endOf = (id: string) => ({ project_id: PROJECT, id, ended_at: '2026-01-01T00:00:01Z', output: null });

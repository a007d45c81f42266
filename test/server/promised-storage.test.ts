import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createReader } from '../../src/reader/reader.ts';
import { createServer, type ServerOptions } from '../../src/server/create-server.ts';
import { Retention } from '../../src/server/retention.ts';
import { CallChanges } from '../../src/server/page/call-changes.ts';
import { catchingUp } from '../../src/server/ingest/visible-writes.ts';
import { undoneParts } from '../../src/server/ingest/undone-parts.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { StoredCost } from '../../src/storage/contract/costs.ts';
import type { RetentionStore } from '../../src/storage/contract/retention.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { newFeedback, PROJECT, startFact } from '../../src/testing/storage/facts.ts';

/** An engine that declares nothing, and waits for nothing when it is told to catch up. */
function openModest(): Storage {
  return { ...openMemoryStorage(), capabilities: {}, catchUp: async () => undefined };
}

/** A server whose warnings are read as they were logged. */
async function startOn(storage: Storage, options: ServerOptions = {}) {
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  const server = await createServer({ storage, port: 0, logger: pino({ level: 'warn' }, sink), ...options });
  onTestFinished(async () => await server.close());
  return { server, messages: () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg) };
}

test('a write is answered when reads see it', async () => {
  const memory = openMemoryStorage();
  const order: string[] = [];
  const catchUp = async () => void order.push('caught up');
  const { server } = await startOn({ ...memory, capabilities: {}, catchUp });
  const reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
  await reader.files.create({ name: 'f', bytes: Buffer.from('x') });
  order.push('answered');
  await reader.costs.create({ m: { prompt_token_cost: 1, completion_token_cost: 1 } });
  order.push('answered');
  expect(order).toEqual(['caught up', 'answered', 'caught up', 'answered']);
});

test('each method that writes is waited for, and no other', async () => {
  const memory = openMemoryStorage();
  let times = 0;
  const storage = catchingUp(memory, async () => void times++);
  const cost = { project_id: PROJECT, id: 'x', created_at: 1 } as StoredCost;
  await storage.calls.write([startFact('c1')]);
  await storage.calls.rename(PROJECT, 'c1', 'n');
  await storage.calls.delete(PROJECT, ['c1'], 1);
  await storage.costs.create([cost]);
  await storage.feedback.create(newFeedback('f1'));
  await storage.retention?.removeBefore(PROJECT, 0);
  expect(times).toBe(6);
  await storage.calls.get(PROJECT, 'c1');
  expect(await storage.costs.list(PROJECT)).toEqual([cost]);
  expect(times).toBe(6);
});

test('a storage that neither sees its writes nor can be waited for is refused', async () => {
  const storage = { ...openMemoryStorage(), capabilities: {} };
  await expect(createServer({ storage, port: 0, logLevel: 'silent' })).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('readYourWrites'),
  });
  await expect(storage.checkHealth()).rejects.toThrow('closed');
});

test('a storage that keeps nothing for good is not asked to outlive a power cut', async () => {
  const starting = createServer({ storage: 'memory', durable: 'power', port: 0, logLevel: 'silent' });
  await expect(starting).rejects.toMatchObject({ code: 'invalid_configuration' });
});

test('a service says that its reads are of no single moment where they are not', async () => {
  const message = 'long reads may see what is written meanwhile';
  expect((await startOn(openModest())).messages()).toEqual([message]);
  expect((await startOn(openMemoryStorage())).messages()).toEqual([]);
});

test('prices and feedback of a batch that fails half-way are undone, what was there before stays', async () => {
  const memory = openModest();
  const half = <T>(all: readonly T[]) => all.slice(0, Math.ceil(all.length / 2));
  const { costs, feedback } = memory;
  const failing: Storage = {
    ...memory,
    costs: {
      list: (id) => costs.list(id),
      purge: (...request) => costs.purge(...request),
      create: async (all) => {
        await costs.create(half(all));
        throw new Error('half-way');
      },
    },
    feedback: {
      create: (...request) => feedback.create(...request),
      createAll: async (all) => {
        for (const one of all) await feedback.create(one);
      },
      list: (...request) => feedback.list(...request),
      query: (...request) => feedback.query(...request),
      count: (...request) => feedback.count(...request),
      purge: (...request) => feedback.purge(...request),
    },
  };
  const storage = undoneParts(failing);
  const cost = (id: string) => ({ project_id: PROJECT, id, created_at: 1 }) as StoredCost;
  await costs.create([cost('old')]);
  await expect(storage.costs.create([cost('old'), cost('a'), cost('b')])).rejects.toThrow('half-way');
  expect(await costs.list(PROJECT)).toEqual([cost('old')]);
  await feedback.create(newFeedback('f1'));
  await expect(storage.feedback.createAll([newFeedback('f0'), newFeedback('f1')])).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect((await feedback.list(PROJECT)).map(({ id }) => id)).toEqual(['f1']);
});

test('a batch of calls that was refused may have changed some, unless the storage says otherwise', async () => {
  for (const [capabilities, changed] of [
    [{}, ['c1']],
    [{ atomicBatches: true }, []],
  ] as const) {
    const memory = openMemoryStorage();
    const { calls } = memory;
    const failing: Storage['calls'] = {
      write: async () => await Promise.reject(new Error('half-way')),
      rename: (...request) => calls.rename(...request),
      delete: (...request) => calls.delete(...request),
      get: (...request) => calls.get(...request),
      query: (...request) => calls.query(...request),
      count: (...request) => calls.count(...request),
    };
    const changes = new CallChanges();
    const told: string[] = [];
    const note = changes.note.bind(changes);
    changes.note = (all) => {
      told.push(...all.map(({ id }) => id));
      note(all);
    };
    const storage = changes.watch({ ...memory, capabilities, calls: failing });
    await expect(storage.calls.write([startFact('c1')])).rejects.toThrow('half-way');
    expect(told).toEqual(changed);
  }
});

test('what an engine does not count is no metric', async () => {
  const writeQueue = () => ({ waitingCount: 0, waitingBytes: 0, writtenCount: 7, groupCount: 5 });
  const scrape = async (storage: Storage) => {
    const { server } = await startOn({ ...storage, writeQueue });
    const headers = { authorization: `Bearer ${server.apiKey}` };
    return await (await fetch(`${server.url}/metrics`, { headers })).text();
  };
  const text = await scrape(openModest());
  expect(text).toMatch(/^spoor_writes_total 7$/m);
  expect(text).not.toMatch(/^spoor_write_groups_total /m);
  expect(await scrape({ ...openModest(), capabilities: { groupCounts: true } })).toMatch(
    /^spoor_write_groups_total 5$/m,
  );
});

test('an engine is asked to give room back where it can', async () => {
  for (const [capabilities, asked] of [
    [{}, 0],
    [{ giveBack: true }, 1],
  ] as const) {
    const storage = openModest();
    await storage.calls.write([startFact('c1')]);
    let times = 0;
    const retention = { ...methodsOf(storage), giveBack: async () => ++times < 1 };
    const policy = { all: { days: 1 }, projects: {} };
    const removed = { traces: 0, calls: 0 };
    const round = new Retention({ capabilities, retention }, policy, { removed, logger: pino({ level: 'silent' }) });
    round.start();
    await expect.poll(() => removed.calls).toBe(1);
    await expect.poll(() => times).toBe(asked);
    await round.close();
    expect(times).toBe(asked);
  }
});

function methodsOf({ retention }: Storage): RetentionStore {
  if (!retention) throw new Error('Memory removes what is old');
  return {
    projects: () => retention.projects(),
    timeForBytes: (...request) => retention.timeForBytes(...request),
    removeBefore: (...request) => retention.removeBefore(...request),
  };
}

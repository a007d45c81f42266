import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createReader } from '../../src/reader/reader.ts';
import { createServer, type ServerOptions } from '../../src/server/create-server.ts';
import { promisedStorage } from '../../src/server/promised-storage.ts';
import { Retention } from '../../src/server/retention.ts';
import { CallChanges } from '../../src/server/page/call-changes.ts';
import { catchingUp, WRITES } from '../../src/server/ingest/visible-writes.ts';
import { withRoles } from '../../src/server/with-roles.ts';
import { undoneParts } from '../../src/server/ingest/undone-parts.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { StoredCost } from '../../src/storage/contract/costs.ts';
import type { FeedbackStore, StoredFeedback } from '../../src/storage/contract/feedback.ts';
import type { PackedWriter } from '../../src/storage/contract/packed.ts';
import type { RetentionStore } from '../../src/storage/contract/retention.ts';
import type { Storage, WriteQueue } from '../../src/storage/contract/storage.ts';
import { newFeedback, PROJECT, startFact } from '../../src/testing/storage/facts.ts';

/** A method that begins to write, or ends to, changes this number on purpose. */
const WRITING_METHODS = 25;

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
  let times = 0;
  // Their answers do not matter here, nor whether there is such a method in memory.
  const answering = (methods: object) =>
    Object.fromEntries(Object.keys(methods).map((name) => [name, async () => name]));
  const roles = Object.fromEntries(Object.entries(WRITES).map(([role, methods]) => [role, answering(methods)]));
  const storage = catchingUp({ ...openMemoryStorage(), ...roles }, async () => void times++);
  const waited: string[] = [];
  const expected: string[] = [];
  for (const [role, methods] of Object.entries(WRITES)) {
    for (const [method, isWrite] of Object.entries(methods)) {
      const before = times;
      const called = storage[role as keyof typeof WRITES] as unknown as Record<string, () => Promise<string>>;
      expect(await called[method]?.()).toBe(method);
      if (times > before) waited.push(`${role}.${method}`);
      if (isWrite) expected.push(`${role}.${method}`);
    }
  }
  expect(waited).toEqual(expected);
  expect(times).toBe(WRITING_METHODS);
});

test('a storage with other roles has every member of an instance of a class, and none that is taken out', async () => {
  class Engine {
    readonly #memory = openMemoryStorage();
    readonly capabilities = this.#memory.capabilities;
    readonly packed = {};
    async checkHealth() {
      await this.#memory.checkHealth();
    }
    async catchUp() {
      await this.#memory.checkHealth();
    }
  }
  const storage = withRoles(new Engine() as unknown as Storage, { packed: undefined });
  expect(Object.keys(storage).toSorted()).toEqual(['capabilities', 'catchUp', 'checkHealth']);
  await storage.checkHealth();
  await storage.catchUp?.();
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

test('an engine that outlives its process alone is not asked to outlive a power cut', async () => {
  const levels = ['process', 'power'] as const;
  const modest = openModest();
  const start = (level: (typeof levels)[number]) =>
    promisedStorage({ ...modest, capabilities: { durable: level } }, { durable: 'power' }, pino({ level: 'silent' }));
  expect(() => start('process')).toThrow('power cut');
  expect(start('power').capabilities.durable).toBe('power');
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

/** An engine that declares nothing, whose methods of feedback are others. */
function openWith(feedback: Partial<FeedbackStore>): Storage {
  const modest = openModest();
  const { feedback: kept } = modest;
  return {
    ...modest,
    feedback: {
      create: (...request) => kept.create(...request),
      createAll: (...request) => kept.createAll(...request),
      list: (...request) => kept.list(...request),
      query: (...request) => kept.query(...request),
      count: (...request) => kept.count(...request),
      purge: (...request) => kept.purge(...request),
      ...feedback,
    },
  };
}

const feedbackIds = async ({ feedback }: Storage) => (await feedback.list(PROJECT)).map(({ id }) => id);

test('of two attempts of one batch at once, the one that is refused takes nothing of the other', async () => {
  const { feedback: kept } = openMemoryStorage();
  const created: string[] = [];
  const storage = undoneParts(
    openWith({
      ...readsOf(kept),
      createAll: async (all) => {
        for (const one of all) {
          await turn();
          await kept.create(one);
          created.push(one.id);
        }
      },
    }),
  );
  const batch = [newFeedback('f1'), newFeedback('f2')];
  const attempts = await Promise.allSettled([storage.feedback.createAll(batch), storage.feedback.createAll(batch)]);
  expect(attempts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(created).toEqual(['f1', 'f2']);
  expect(await feedbackIds(storage)).toEqual(['f1', 'f2']);
});

test('feedback that was to replace other feedback and failed half-way is undone', async () => {
  const { feedback: kept } = openMemoryStorage();
  const failing = (steps: (feedback: StoredFeedback, replacedId: string) => Promise<void>) =>
    undoneParts(
      openWith({
        ...readsOf(kept),
        create: async (feedback, replacedId) => {
          if (typeof replacedId !== 'string') return await kept.create(feedback);
          await steps(feedback, replacedId);
          throw new Error('half-way');
        },
      }),
    );
  await kept.create(newFeedback('old'));
  const before = await kept.list(PROJECT);
  const afterAdding = failing(async (feedback) => await kept.create(feedback));
  const afterRemoving = failing(async (_feedback, id) => await kept.purge(PROJECT, [id]));
  for (const storage of [afterAdding, afterRemoving]) {
    await expect(storage.feedback.create(newFeedback('new'), 'old')).rejects.toThrow('half-way');
    expect(await kept.list(PROJECT)).toEqual(before);
  }
});

test('what is packed does not go past what is undone', async () => {
  const packed = {} as PackedWriter;
  expect(undoneParts({ ...openModest(), packed }).packed).toBeUndefined();
  expect(undoneParts({ ...openMemoryStorage(), packed }).packed).toBe(packed);
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
      told.push(...all.flatMap(({ ids }) => [...ids]));
      note(all);
    };
    const storage = changes.watch({ ...memory, capabilities, calls: failing });
    await expect(storage.calls.write([startFact('c1')])).rejects.toThrow('half-way');
    expect(told).toEqual(changed);
  }
});

test('what an engine does not count is no metric', async () => {
  const counts = { waitingCount: 0, waitingBytes: 0, writtenCount: 7 };
  const scrape = async (queue: WriteQueue) => {
    const { server } = await startOn({ ...openModest(), writeQueue: () => queue });
    const headers = { authorization: `Bearer ${server.apiKey}` };
    return await (await fetch(`${server.url}/metrics`, { headers })).text();
  };
  const text = await scrape(counts);
  expect(text).toMatch(/^spoor_writes_total 7$/m);
  expect(text).not.toMatch(/^spoor_write_groups_total /m);
  expect(await scrape({ ...counts, groupCount: 5 })).toMatch(/^spoor_write_groups_total 5$/m);
});

test('an engine is asked to give room back where it can, and needs no method for that', async () => {
  for (const [can, asked] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const storage = openModest();
    await storage.calls.write([startFact('c1')]);
    let times = 0;
    const giveBack = async () => ++times < 1;
    const retention = { ...methodsOf(storage), ...(can && { giveBack }) };
    const policy = { all: { days: 1 }, projects: {} };
    const removed = { traces: 0, calls: 0 };
    const round = new Retention(retention, policy, { removed, logger: pino({ level: 'silent' }) });
    await round.start();
    expect(removed.calls).toBe(1);
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

/** What is read and removed comes from another store. */
function readsOf(store: FeedbackStore): Partial<FeedbackStore> {
  return {
    list: (...request) => store.list(...request),
    query: (...request) => store.query(...request),
    count: (...request) => store.count(...request),
    purge: (...request) => store.purge(...request),
  };
}

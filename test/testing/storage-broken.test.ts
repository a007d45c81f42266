import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Capabilities } from '../../src/storage/contract/capabilities.ts';
import type { StoredCall } from '../../src/storage/contract/calls.ts';
import type { OverviewReader } from '../../src/storage/contract/overviews.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { TracingError } from '../../src/protocol/error.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { Upkeep } from '../../src/storage/contract/upkeep.ts';
import type { StorageUnderTest } from '../../src/testing/storage/conformance.ts';
import { buildOnce } from '../build.ts';
import { fileEngine } from '../storage/file-engine.ts';
import { failuresOf } from './storage-failures.ts';

/** What is wrong with an engine, and the contract that it fails by it. */
const BROKEN: readonly (readonly [contract: string, storage: () => Storage])[] = [
  ['what a storage can do stays the same while it is open', openFickle],
  ['what a read of any role gives is a copy', openSharing],
  ['calls that stay as they are are read once and in order while others come and go', openByPlaces],
  ['of writes at once those that are refused are refused for now and have written nothing', openHasty],
  ['a deletion under a key that is known deletes nothing and tells what the first one did', openWithoutKeys],
  ['a list of more characters than its reader takes is refused', openEndless],
  ['a list of feedback of more characters than its reader takes is refused', openWithoutOptions],
  ['a read that takes longer than its deadline rejects', openWithoutOptions],
  ['an overview that takes longer than its deadline rejects', openWithoutOptions],
  ['leaving outlines early releases them', () => openLeaking('outlines')],
  ['leaving the columns of a trace early releases them', () => openLeaking('trace')],
];

/** What is wrong with the care for an engine, and the contract that it fails by it. */
const BROKEN_CARE: readonly (readonly [contract: string, broken: (care: Upkeep) => Partial<Upkeep>])[] = [
  [
    'a backup of a storage in use is what it held then, and tells its notes',
    (care) => ({ backUp: (file, options) => care.backUp(file, { ...options, notes: {} }) }),
  ],
  [
    'a backup is one file, for its owner only, of as many bytes as was told',
    (care) => ({ backUp: async (file, options) => (await care.backUp(file, options)) + 1 }),
  ],
  [
    'a backup takes the place of a file by force alone',
    (care) => ({ backUp: (file, options) => care.backUp(file, { ...options, isForced: true }) }),
  ],
  [
    'a check of what is in order finds no problem, while writers go on',
    () => ({
      check: async function* () {
        yield { about: 'all', problem: 'is not as expected' };
      },
    }),
  ],
  ['data that a service uses is not replaced, by force neither', () => ({ restore: async () => ({ notes: {} }) })],
  [
    'data that is there is replaced by force alone',
    (care) => ({ restore: (file, options) => care.restore(file, { ...options, isForced: true }) }),
  ],
  [
    'a backup that is damaged, or is none, changes nothing',
    (care) => ({ restore: (file, options) => care.restore(file, options).catch(() => ({ notes: {} })) }),
  ],
];

describe('an engine that breaks one contract', () => {
  test.each(BROKEN)('fails "%s"', async (contract, open) => {
    expect(await failuresOfOne(contract, { open: async () => open() })).toEqual([contract]);
  });

  test('fails what was written of each role when it forgets views as it is opened again', async () => {
    const kept = new WeakMap<Storage, Storage>();
    const open = async () => {
      const memory = openMemoryStorage();
      const storage = { ...memory, capabilities: durable(memory), close: async () => undefined };
      kept.set(storage, { ...memory, views: openMemoryStorage().views });
      return storage;
    };
    const reopen = async (closed: Storage) => kept.get(closed) ?? openMemoryStorage();
    const contract = 'every role has what was written, and what was deleted stays so, when the storage is opened again';
    expect(await failuresOfOne(contract, { open, reopen })).toEqual([contract]);
  });

  test('fails what was asked for before it is closed when it drops what waits', async () => {
    const kept = new WeakMap<Storage, Storage>();
    const open = async () => {
      const memory = openMemoryStorage();
      const storage = { ...openAbrupt(memory), capabilities: durable(memory) };
      kept.set(storage, memory);
      return storage;
    };
    const reopen = async (closed: Storage) => ({ ...(kept.get(closed) ?? openMemoryStorage()) });
    const contract = 'writes that were asked for before the storage is closed are there when it is opened again';
    expect(await failuresOfOne(contract, { open, reopen })).toEqual([contract]);
  });
});

describe('care that breaks one contract', () => {
  const { remove, ...engine } = fileEngine();

  beforeAll(buildOnce, 120_000);

  afterAll(remove);

  test.each(BROKEN_CARE)('fails "%s"', async (contract, broken) => {
    const upkeep = async (storage: Storage) => {
      const care = await engine.upkeep(storage);
      return { ...care, ...broken(care) };
    };
    expect(await failuresOfOne(contract, engine)).toEqual([]);
    expect(await failuresOfOne(contract, { ...engine, upkeep })).toEqual([contract]);
  });
});

async function failuresOfOne(contract: string, storage: Omit<StorageUnderTest, 'name'>): Promise<string[]> {
  return await failuresOf({ name: 'broken', ...storage }, undefined, (name) => name === contract);
}

function durable({ capabilities }: Storage): Capabilities {
  return { ...capabilities, durable: 'process' };
}

/** Is sure of its reads until it is asked again. */
function openFickle(): Storage {
  const memory = openMemoryStorage();
  let asked = 0;
  return Object.defineProperty({ ...memory, catchUp: async () => undefined }, 'capabilities', {
    get: () => (asked++ % 2 === 0 ? memory.capabilities : {}),
  });
}

/** Hands out the views that it keeps. */
function openSharing(): Storage {
  const memory = openMemoryStorage();
  let views: ReturnType<Storage['views']['list']> | undefined;
  return { ...memory, views: { ...bound(memory.views), list: (project) => (views ??= memory.views.list(project)) } };
}

/** Remembers where a read is by the number of calls that it has given. */
function openByPlaces(): Storage {
  const { calls, ...others } = openMemoryStorage();
  const query: Storage['calls']['query'] = async function* (plan, options) {
    for (let offset = plan.offset; ; offset += 100) {
      const rows: StoredCall[] = [];
      for await (const chunk of calls.query({ ...plan, offset, limit: 100 }, options)) rows.push(...chunk);
      if (rows.length === 0) return;
      yield rows;
    }
  };
  return { ...others, calls: { ...bound(calls), query } };
}

/** Says that there is no room when it has written. */
function openHasty(): Storage {
  const { calls, ...others } = openMemoryStorage();
  let running = 0;
  const write: Storage['calls']['write'] = async (facts) => {
    running++;
    try {
      const written = await calls.write(facts);
      if (running > 100) throw new TracingError('rate_limited', 'Cannot write: there is no room');
      return written;
    } finally {
      running--;
    }
  };
  return { ...others, calls: { ...bound(calls), write } };
}

function openWithoutKeys(): Storage {
  const { objects, ...others } = openMemoryStorage();
  const remove: Storage['objects']['delete'] = (project, id, versions, at) => objects.delete(project, id, versions, at);
  return { ...others, objects: { ...bound(objects), delete: remove } };
}

function openEndless(): Storage {
  const { objects, ...others } = openMemoryStorage();
  return { ...others, objects: { ...bound(objects), query: (plan) => objects.query(plan) } };
}

/** Takes its time, and as many characters as there are. */
function openWithoutOptions(): Storage {
  const { calls, feedback, overviews, ...others } = openMemoryStorage();
  return {
    ...others,
    calls: { ...bound(calls), query: (plan) => calls.query(plan) },
    feedback: { ...bound(feedback), query: (plan) => feedback.query(plan) },
    ...(overviews && { overviews: { ...overviews, outlines: (plan) => overviews.outlines(plan) } }),
  };
}

/** Has a few readers, of which each that is left stays where it is. */
function openLeaking(name: 'outlines' | 'trace'): Storage {
  const memory = openMemoryStorage();
  let open = 0;
  async function* leaking<T>(read: AsyncIterable<T>): AsyncGenerator<T> {
    if (++open > 8) throw new TracingError('unavailable', 'Cannot read: all readers are at work');
    yield* read;
    open--;
  }
  const overviews = memory.overviews ?? assert.fail('The reference has overviews');
  const broken: Partial<OverviewReader> =
    name === 'outlines'
      ? { outlines: (plan, options) => leaking(overviews.outlines(plan, options)) }
      : { trace: (plan, options) => leaking(overviews.trace(plan, options)) };
  return { ...memory, overviews: { ...overviews, ...broken } };
}

/** Forgets at once what it has not written when it is closed. */
function openAbrupt(memory: Storage): Storage {
  let isClosed = false;
  const write: Storage['calls']['write'] = async (facts) => {
    await setImmediate();
    if (isClosed) throw new TracingError('unavailable', 'Cannot write: the storage is closed');
    return await memory.calls.write(facts);
  };
  const close = async () => {
    isClosed = true;
  };
  return { ...memory, calls: { ...bound(memory.calls), write }, close };
}

/** The methods of a role as own members, whatever class it is of. */
function bound<Role extends object>(role: Role): Role {
  return new Proxy({} as Role, {
    ownKeys: () => Object.getOwnPropertyNames(Object.getPrototypeOf(role)).concat(Object.keys(role)),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_target, key) => {
      const member: unknown = Reflect.get(role, key, role);
      return typeof member === 'function' ? (member.bind(role) as unknown) : member;
    },
  });
}

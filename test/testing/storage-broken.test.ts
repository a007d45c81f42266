import { describe, expect, test } from 'vitest';
import type { Capabilities } from '../../src/storage/contract/capabilities.ts';
import type { StoredCall } from '../../src/storage/contract/calls.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { TracingError } from '../../src/protocol/error.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { failuresOf } from './storage-failures.ts';

/** What is wrong with an engine, and the contract that it fails by it. */
const BROKEN: readonly (readonly [contract: string, storage: () => Storage])[] = [
  ['what a storage can do stays the same while it is open', openFickle],
  ['what a read of any role gives is a copy', openSharing],
  ['calls that stay as they are are read once and in order while others come and go', openByPlaces],
  ['of writes at once those that are refused are refused for now and have written nothing', openHasty],
  ['a deletion under a key that is known deletes nothing and tells what the first one did', openWithoutKeys],
  ['a list of more characters than its reader takes is refused', openEndless],
];

describe('an engine that breaks one contract', () => {
  test.each(BROKEN)('fails "%s"', async (contract, open) => {
    expect(await failuresOf({ name: 'broken', open: async () => open() })).toContain(contract);
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
    expect(await failuresOf({ name: 'forgetful', open, reopen })).toContain(
      'every role has what was written, and what was deleted stays so, when the storage is opened again',
    );
  });
});

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

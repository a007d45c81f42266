import { TracingError } from '../../protocol/error.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { withRoles } from '../with-roles.ts';

/** Whether a method of a role writes; one that is not told does not compile. */
type Writes<Role> = { readonly [Name in keyof Required<Role>]: boolean };

type RoleName = Exclude<
  keyof Storage,
  'capabilities' | 'takeLease' | 'watchCalls' | 'writeQueue' | 'catchUp' | 'checkHealth' | 'close'
>;

export const WRITES: { readonly [Name in RoleName]: Writes<NonNullable<Storage[Name]>> } = {
  calls: { write: true, rename: true, delete: true, get: false, query: false, count: false },
  objects: { create: true, delete: true, get: false, query: false },
  files: { create: true, get: false, totalBytes: false },
  costs: { create: true, purge: true, list: false },
  feedback: { create: true, createAll: true, purge: true, list: false, query: false, count: false },
  tables: { create: true, derive: true, getRowDigests: false, query: false, stats: false },
  threads: { query: false },
  views: { save: true, delete: true, list: false },
  overviews: { aggregate: false, outlines: false, trace: false, traits: false },
  packed: {
    writeCalls: true,
    createObject: true,
    createTable: true,
    deriveTable: true,
    createFeedback: true,
    getRowDigests: false,
  },
  keys: { create: true, revoke: true, list: false },
  retention: { removeBefore: true, giveBack: false, projects: false, timeForBytes: false },
  policy: { set: true, get: false },
  runs: { note: true, list: false, sums: false },
};

/**
 * The storage, whose writes resolve when reads see them: the protocol promises that of what it has answered. Engines
 * that do so themselves declare `readYourWrites`, and are left as they are.
 */
export function visibleWrites(storage: Storage): Storage {
  if (storage.capabilities.readYourWrites) return storage;
  if (storage.catchUp !== undefined) return catchingUp(storage, async () => await storage.catchUp?.());
  throw new TracingError(
    'invalid_configuration',
    'Cannot use the storage: it declares no "readYourWrites" and has no method "catchUp"',
  );
}

/** The storage, after each of whose writes something is waited for. */
export function catchingUp(storage: Storage, catchUp: () => Promise<void>): Storage {
  const roles = Object.entries(WRITES).flatMap(([name, writes]) => {
    const role = storage[name as RoleName];
    return role === undefined ? [] : [[name, catchingUpAfter(role, writes, catchUp)] as const];
  });
  return withRoles(storage, Object.fromEntries(roles));
}

type Method = (...args: unknown[]) => unknown;

function catchingUpAfter<Role extends object>(
  role: Role,
  writes: Readonly<Record<string, boolean>>,
  catchUp: () => Promise<void>,
): Role {
  return new Proxy(role, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      // The engine may be of classes, whose methods want to be called on them.
      if (writes[String(name)] !== true) return (...args: unknown[]) => (method as Method).apply(target, args);
      return async (...args: unknown[]) => {
        const answer = await (method as Method).apply(target, args);
        await catchUp();
        return answer;
      };
    },
  });
}

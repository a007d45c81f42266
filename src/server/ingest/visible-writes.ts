import { TracingError } from '../../protocol/error.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { withRoles } from '../with-roles.ts';

/** The methods that write, by role. */
const WRITES: Readonly<Partial<Record<keyof Storage, readonly string[]>>> = {
  calls: ['write', 'rename', 'delete'],
  objects: ['create', 'delete'],
  files: ['create'],
  costs: ['create', 'purge'],
  feedback: ['create', 'createAll', 'purge'],
  tables: ['create'],
  views: ['save', 'delete'],
  packed: ['writeCalls', 'createTable', 'createFeedback'],
  retention: ['removeBefore'],
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
    const role = storage[name as keyof Storage];
    return role === undefined ? [] : [[name, catchingUpAfter(role, writes, catchUp)] as const];
  });
  return withRoles(storage, Object.fromEntries(roles));
}

type Method = (...args: unknown[]) => unknown;

function catchingUpAfter<Role extends object>(
  role: Role,
  writes: readonly string[],
  catchUp: () => Promise<void>,
): Role {
  return new Proxy(role, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      // The engine may be of classes, whose methods want to be called on them.
      if (!writes.includes(String(name))) return (...args: unknown[]) => (method as Method).apply(target, args);
      return async (...args: unknown[]) => {
        const answer = await (method as Method).apply(target, args);
        await catchUp();
        return answer;
      };
    },
  });
}

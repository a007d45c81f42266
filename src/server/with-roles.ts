import type { Storage } from '../storage/contract/storage.ts';

/** Members called on the storage itself, which may be an instance of a class; another member does not compile. */
const IS_METHOD = {
  capabilities: false,
  calls: false,
  objects: false,
  files: false,
  costs: false,
  feedback: false,
  tables: false,
  threads: false,
  views: false,
  overviews: false,
  packed: false,
  retention: false,
  policy: false,
  runs: false,
  keys: false,
  takeLease: true,
  watchCalls: true,
  writeQueue: true,
  catchUp: true,
  checkHealth: true,
  close: true,
} as const satisfies Record<keyof Storage, boolean>;

type Roles = { readonly [Name in keyof Storage]?: Storage[Name] | undefined };

/** The storage with other roles, and without those that are given as undefined. */
export function withRoles(storage: Storage, roles: Roles): Storage {
  const names = Object.keys(IS_METHOD) as (keyof Storage)[];
  const members = names.map((name) => [name, name in roles ? roles[name] : memberOf(storage, name)] as const);
  // The names are all that a storage has.
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as unknown as Storage;
}

function memberOf(storage: Storage, name: keyof Storage): unknown {
  const member: unknown = storage[name];
  return IS_METHOD[name] && typeof member === 'function' ? member.bind(storage) : member;
}

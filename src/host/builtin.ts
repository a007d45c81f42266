/** Node before 20.16 hands out no modules; there the entry that it resolves to puts something like it here. */
const OLDER_KEY = Symbol.for('spoor.builtin.1');

type Builtin = typeof process.getBuiltinModule;

/** A module of Node. An import would ask it for each of its exports, among them some that load further modules. */
export const builtin: Builtin =
  // It does not use what it is a method of.
  // oxlint-disable-next-line typescript/unbound-method
  process.getBuiltinModule ?? (globalThis as { [OLDER_KEY]?: Builtin })[OLDER_KEY];

// docs/decisions/0001-optional-packages-on-node-20.md says why.
import { createRequire } from 'node:module';

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** A row as the driver gives it, by names of columns. */
export type Row = Readonly<Record<string, SqliteValue>>;

/** Values by the names of their parameters. */
export type NamedValues = Readonly<Record<string, SqliteValue>>;

export interface Statement {
  run(...values: SqliteValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: SqliteValue[] | [NamedValues]): Row | undefined;
  all(...values: SqliteValue[] | [NamedValues]): Row[];
  iterate(...values: SqliteValue[] | [NamedValues]): IterableIterator<Row>;
}

/** The part of `node:sqlite` that we use; `@photostructure/sqlite` has the same interface. */
export interface DatabaseSync {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  function(
    name: string,
    options: { readonly deterministic: boolean; readonly useBigIntArguments: boolean },
    call: (...values: never[]) => SqliteValue,
  ): void;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => DatabaseSync;
}

type LoadBuiltin = (id: string) => unknown;

/** The SQLite that is built into Node, or on a Node that has none the package that brings it. */
export function loadDriver(loadBuiltin: LoadBuiltin = builtinModule): SqliteModule {
  const builtin = withoutExperimentalWarning(() => loadBuiltin('node:sqlite'));
  if (isSqliteModule(builtin)) return builtin;
  const bundled: unknown = createRequire(import.meta.url)('@photostructure/sqlite');
  if (isSqliteModule(bundled)) return bundled;
  throw new Error('Cannot load SQLite: @photostructure/sqlite has another interface than expected');
}

function builtinModule(id: string): unknown {
  return process.getBuiltinModule(id);
}

function isSqliteModule(module: unknown): module is SqliteModule {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module;
}

/** Node says once that its module is experimental; that is our decision, not news for the user. */
function withoutExperimentalWarning<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

import { strict as assert } from 'node:assert';
import { catchingUp } from '../../server/ingest/visible-writes.ts';
import type { Capabilities } from '../../storage/contract/capabilities.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Upkeep } from '../../storage/contract/upkeep.ts';

/** A test runner as the kit needs it; it may give a test a context that can skip it. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: (...context: unknown[]) => Promise<void>) => unknown;
}

export interface StorageUnderTest {
  readonly name: string;
  /** A fresh, empty, isolated storage for each test. */
  readonly open: () => Promise<Storage>;
  /** Opens again what a storage has kept that was opened above and closed; needed where `durable` is declared. */
  readonly reopen?: (closed: Storage) => Promise<Storage>;
  /** Opens what an open storage keeps, as a second service does; needed where `takeLease` is there. */
  readonly openBeside?: (open: Storage) => Promise<Storage>;
  /**
   * Care of what a storage keeps that was opened above, and is open or closed; where the engine has none, its backups and
   * checks are not tried. Needs `reopen`.
   */
  readonly upkeep?: (storage: Storage) => Promise<Upkeep>;
  /** Contracts this engine breaks today, with the reason. One that starts to pass fails the suite. */
  readonly excused?: Readonly<Record<string, string>>;
}

/** The need of a contract: a capability that is declared, or a role that is there. */
export type Need = keyof Capabilities | Part;

/** Parts that may be left out, and are declared by being there. */
type Part =
  | 'upkeep'
  | 'overviews'
  | 'retention'
  | 'retention.giveBack'
  | 'policy'
  | 'runs'
  | 'writeQueue'
  | 'writeQueue.groupCount'
  | 'keys'
  | 'takeLease';

/** Gets a storage whose writes are waited for until reads see them, and the engine itself. */
export type Check = (storage: Storage, engine: Storage) => Promise<void>;

export interface Contracts {
  /** States a fact and checks it on a storage of its own, where the storage has what it needs. */
  readonly contract: (name: string, check: Check, need?: Need) => void;
  readonly reopen: StorageUnderTest['reopen'];
  readonly openBeside: StorageUnderTest['openBeside'];
  readonly upkeep: StorageUnderTest['upkeep'];
  /** Fails when an excuse names no contract. */
  readonly checkExcuses: () => void;
}

export function contractsOf({ test }: TestRunner, tested: StorageUnderTest): Contracts {
  const { reopen, openBeside, upkeep, excused = {} } = tested;
  const names = new Set<string>();
  return {
    reopen,
    openBeside,
    upkeep,
    contract: (name, check, need) => {
      assert(!names.has(name), `Two contracts are named "${name}"`);
      names.add(name);
      const reason = excused[name];
      const checked = reason === undefined ? check : failing(check, name);
      const title = reason === undefined ? name : `${name} (excused: ${reason})`;
      // Without parameters of its own: some runners take one for a callback to wait for.
      test(title, async (...context) => await checkOn(tested, { name, check: checked, need }, context));
    },
    checkExcuses: () => {
      test('every excuse names a contract', async () => {
        assert.deepEqual(
          Object.keys(excused).filter((name) => !names.has(name)),
          [],
        );
      });
    },
  };
}

interface Contract {
  readonly name: string;
  readonly check: Check;
  readonly need: Need | undefined;
}

async function checkOn(
  tested: StorageUnderTest,
  { name, check, need }: Contract,
  context: readonly unknown[],
): Promise<void> {
  await withStorage(tested.open, async (storage, engine) => {
    const reason = need && missing(engine, need, tested);
    if (reason === undefined) await check(storage, engine);
    else skip(context, name, reason);
  });
}

/** Why a storage has not got what a contract hangs on. */
function missing(storage: Storage, need: Need, tested: StorageUnderTest): string | undefined {
  const hasPart = PARTS[need as Part] as HasPart | undefined;
  if (hasPart) return hasPart(storage, tested) ? undefined : `the storage has no role "${need}"`;
  return storage.capabilities[need as keyof Capabilities] ? undefined : `the storage does not declare "${need}"`;
}

type HasPart = (storage: Storage, tested: StorageUnderTest) => boolean;

const PARTS: Readonly<Record<Part, HasPart>> = {
  upkeep: (_storage, { upkeep }) => upkeep !== undefined,
  overviews: ({ overviews }) => overviews !== undefined,
  retention: ({ retention }) => retention !== undefined,
  'retention.giveBack': ({ retention }) => retention?.giveBack !== undefined,
  policy: ({ policy }) => policy !== undefined,
  runs: ({ runs }) => runs !== undefined,
  writeQueue: ({ writeQueue }) => writeQueue !== undefined,
  'writeQueue.groupCount': ({ writeQueue }) => writeQueue?.().groupCount !== undefined,
  keys: ({ keys }) => keys !== undefined,
  takeLease: ({ takeLease }) => takeLease !== undefined,
};

interface SkippingContext {
  readonly skip: (reason: string) => void;
}

/** Runners that give no context show a passed test; the reason is to be seen all the same. */
function skip([context]: readonly unknown[], name: string, reason: string): void {
  if (isSkipping(context)) context.skip(reason);
  else process.stderr.write(`skipped: ${name}: ${reason}\n`);
}

function isSkipping(context: unknown): context is SkippingContext {
  // A function with properties under some runners.
  const skipping = Object(context) as Partial<SkippingContext>;
  return typeof skipping.skip === 'function';
}

async function withStorage(open: () => Promise<Storage>, check: Check): Promise<void> {
  const engine = await open();
  try {
    await check(visibleStorage(engine), engine);
  } finally {
    await engine.close();
  }
}

function visibleStorage(engine: Storage): Storage {
  const { capabilities, catchUp } = engine;
  assert(capabilities.readYourWrites || catchUp, 'The storage neither declares "readYourWrites" nor has "catchUp"');
  return catchUp ? catchingUp(engine, async () => await catchUp.call(engine)) : engine;
}

/** Passes where a check fails. */
function failing(check: Check, name: string): Check {
  return async (storage, engine) => {
    const failure = await check(storage, engine).then(
      () => undefined,
      (error: unknown) => error ?? 'failed',
    );
    assert.notEqual(failure, undefined, `The contract "${name}" is kept now: remove its excuse`);
  };
}

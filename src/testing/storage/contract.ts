import { strict as assert } from 'node:assert';
import type { Storage } from '../../storage/contract/storage.ts';

/** What the kit needs of a test runner. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly test: (name: string, body: () => Promise<void>) => void;
}

export interface StorageUnderTest {
  readonly name: string;
  /** A fresh, empty, isolated storage for each test. */
  readonly open: () => Promise<Storage>;
  /** Contracts this engine breaks today, with the reason. One that starts to pass fails the suite. */
  readonly excused?: Readonly<Record<string, string>>;
}

export interface Contracts {
  /** States a fact and checks it on a storage of its own. */
  readonly contract: (name: string, check: (storage: Storage) => Promise<void>) => void;
  /** Fails when an excuse names no contract. */
  readonly checkExcuses: () => void;
}

export function contractsOf({ test }: TestRunner, { open, excused = {} }: StorageUnderTest): Contracts {
  const names = new Set<string>();
  return {
    contract: (name, check) => {
      assert(!names.has(name), `Two contracts are named "${name}"`);
      names.add(name);
      const reason = excused[name];
      if (reason === undefined) test(name, () => withStorage(open, check));
      else test(`${name} (excused: ${reason})`, () => failsOn(open, check, name));
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

async function withStorage(open: () => Promise<Storage>, check: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await open();
  try {
    await check(storage);
  } finally {
    await storage.close();
  }
}

async function failsOn(open: () => Promise<Storage>, check: (storage: Storage) => Promise<void>, name: string) {
  const failure = await withStorage(open, check).then(
    () => undefined,
    (error: unknown) => error ?? 'failed',
  );
  assert.notEqual(failure, undefined, `The contract "${name}" is kept now: remove its excuse`);
}

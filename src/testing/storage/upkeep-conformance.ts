import { strict as assert } from 'node:assert';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '../../storage/contract/storage.ts';
import type { CheckResult, RestoreOptions, Upkeep } from '../../storage/contract/upkeep.ts';
import type { Contracts } from './contract.ts';
import { endFact, newObject, readIds, startFact } from './facts.ts';

/** A storage in use, what cares for it, and a name for its backup in a folder of its own. */
interface Kept {
  readonly storage: Storage;
  readonly care: Upkeep;
  readonly folder: string;
  readonly file: string;
  /** The ids of the calls that are there when the storage is opened again. */
  readonly idsAgain: () => Promise<string[]>;
}

/** Backups, checks and what is put back, whether a service uses the data or not. */
export function upkeepConformance({ contract: state, reopen, upkeep }: Contracts): void {
  const contract = (name: string, check: (kept: Kept) => Promise<void>) => {
    const checkIn = async (storage: Storage, engine: Storage) => {
      assert(upkeep && reopen, 'Cannot test what was put back: `reopen` is not given');
      const care = await upkeep(engine);
      await inFolder((folder) => {
        const idsAgain = async () => await idsOf(await reopen(engine));
        return check({ storage, care, folder, file: join(folder, 'backup'), idsAgain });
      });
    };
    state(name, checkIn, 'upkeep');
  };

  contract('a backup of a storage in use is what it held then, and tells its notes', async (kept) => {
    const { storage, care, file } = kept;
    await writeSome(storage);
    const notes = { about: 'äöü', keys: '{}' };
    await care.backUp(file, { notes, isForced: false });
    await storage.calls.write([startFact('late')]);
    await storage.close();
    assert.deepEqual(await care.restore(file, FORCED), { notes });
    assert.deepEqual(await kept.idsAgain(), ['c1', 'c2']);
  });

  contract(
    'a backup that is restored tells what services were told to keep, where the engine keeps that',
    async (kept) => {
      const { storage, care, file } = kept;
      await writeSome(storage);
      const policy = { all: { days: 30 }, projects: { 'acme/kept': {} } };
      await storage.policy?.set(policy);
      await care.backUp(file, UNFORCED);
      await storage.policy?.set({ all: {}, projects: {} });
      await storage.close();
      const restored = await care.restore(file, FORCED);
      assert.deepEqual(restored.policy, storage.policy && policy);
    },
  );

  contract('a backup is one file, for its owner only, of as many bytes as was told', async ({ storage, ...kept }) => {
    await writeSome(storage);
    const bytes = await kept.care.backUp(kept.file, UNFORCED);
    assert.deepEqual(await readdir(kept.folder), ['backup']);
    const { size, mode } = await stat(kept.file);
    assert.equal(size, bytes);
    if (process.platform !== 'win32') assert.equal(mode & 0o077, 0);
  });

  contract('a backup takes the place of a file by force alone', async ({ storage, care, folder, file }) => {
    await writeSome(storage);
    await writeFile(file, 'theirs');
    await assert.rejects(care.backUp(file, UNFORCED), REFUSED);
    assert.equal(await readFile(file, 'utf8'), 'theirs');
    await care.backUp(file, { notes: {}, isForced: true });
    assert.equal((await stat(file)).size > 'theirs'.length, true);
    assert.deepEqual(await readdir(folder), ['backup']);
  });

  contract('a check of what is in order finds no problem, while writers go on', async ({ storage, care }) => {
    await writeSome(storage);
    const results: CheckResult[] = [];
    for await (const result of care.check()) {
      await storage.calls.write([startFact(`meanwhile-${results.length}`)]);
      results.push(result);
    }
    assert.equal(results.length > 0, true);
    assert.deepEqual(
      results.filter(({ problem }) => problem !== undefined),
      [],
    );
  });

  contract('data that a service uses is not replaced, by force neither', async ({ storage, care, file, idsAgain }) => {
    await writeSome(storage);
    await care.backUp(file, UNFORCED);
    await storage.calls.write([startFact('late')]);
    await assert.rejects(care.restore(file, FORCED), REFUSED);
    await storage.calls.write([startFact('later')]);
    await storage.close();
    assert.deepEqual(await idsAgain(), ['c1', 'c2', 'late', 'later']);
  });

  contract('data that is there is replaced by force alone', async ({ storage, care, file, idsAgain }) => {
    await writeSome(storage);
    await care.backUp(file, UNFORCED);
    await storage.calls.write([startFact('late')]);
    await storage.close();
    await assert.rejects(care.restore(file, { isForced: false }), REFUSED);
    assert.deepEqual(await idsAgain(), ['c1', 'c2', 'late']);
  });

  contract(
    'a backup that is damaged, or is none, changes nothing',
    async ({ storage, care, folder, file, idsAgain }) => {
      await writeSome(storage);
      const bytes = await care.backUp(file, UNFORCED);
      await truncate(file, Math.floor(bytes / 2));
      await writeFile(join(folder, 'foreign'), 'no backup');
      await storage.close();
      for (const name of ['backup', 'foreign', 'missing']) {
        await assert.rejects(care.restore(join(folder, name), FORCED), REFUSED, name);
      }
      assert.deepEqual(await idsAgain(), ['c1', 'c2']);
    },
  );
}

const FORCED: RestoreOptions = { isForced: true };
const UNFORCED = { notes: {}, isForced: false };
const REFUSED = { code: 'invalid_configuration' };

async function writeSome(storage: Storage): Promise<void> {
  await storage.calls.write([startFact('c1'), endFact('c1', { output: JSON.stringify('text '.repeat(10_000)) })]);
  await storage.calls.write([startFact('c2')]);
  await storage.objects.create(newObject(1));
}

async function idsOf(storage: Storage): Promise<string[]> {
  try {
    return await readIds(storage);
  } finally {
    await storage.close();
  }
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'spoor-upkeep-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A path for a database in a folder of its own, which goes when the test is over. */
export async function newDatabasePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spoor-sqlite-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'data', 'calls.db');
}

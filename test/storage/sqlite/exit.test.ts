import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { PROJECT } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

const CHILD = fileURLToPath(new URL('./exit-child.ts', import.meta.url));
const CLOSING = fileURLToPath(new URL('./close-child.ts', import.meta.url));
const PRELOAD = fileURLToPath(new URL('../../load-typescript.js', import.meta.url));

test('a process may exit at any moment, with the code it chose, and what was written is there', async () => {
  for (let round = 0; round < 3; round++) {
    const path = await newDatabasePath();
    const child = spawn(process.execPath, ['--import', PRELOAD, CHILD, path], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    expect({ code: code as unknown, errors }).toEqual({ code: 7, errors: '' });
    const storage = await openSqliteStorage({ path });
    expect((await storage.calls.get(PROJECT, 'c-199'))?.id).toBe('c-199');
    await storage.close();
  }
}, 120_000);

test.each([0, 1, 2, 50])(
  'a process waits for the end of a storage that nobody waits for %i answers of',
  async (count) => {
    const path = await newDatabasePath();
    const args = ['--import', PRELOAD, CLOSING, path, String(count)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [[code], said] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
    expect({ code: code as unknown, said }).toEqual({ code: 0, said: 'closed' });
  },
);

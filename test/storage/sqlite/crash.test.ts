import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { PROJECT } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

const CHILD = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
const PRELOAD = fileURLToPath(new URL('../../load-typescript.js', import.meta.url));

/** Kills a writing process after so many acknowledged batches; the last batch that was acknowledged. */
async function writeAndKill(path: string, round: number, batches: number): Promise<number> {
  const child = spawn(process.execPath, ['--import', PRELOAD, CHILD, path, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acknowledged = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line);
    // What follows in the pipe was acknowledged too, while the signal was on its way.
    if (acknowledged === batches) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return acknowledged;
}

test('what was acknowledged before kill -9 is there, whole, round after round', { timeout: 60_000 }, async () => {
  const path = await newDatabasePath();
  const rounds: number[] = [];
  for (const batches of [0, 7, 31]) {
    rounds.push(await writeAndKill(path, rounds.length, batches));
    const storage = await openSqliteStorage({ path });
    expect(storage.recovery).toEqual({ wasClean: false, check: 'ok' });
    for (const [round, last] of rounds.entries()) {
      for (let batch = 0; batch <= last; batch++) {
        for (const index of [0, 19]) {
          const id = `${round}-${batch}-${index}`;
          expect((await storage.calls.get(PROJECT, id))?.output).toBe(JSON.stringify(id));
        }
      }
    }
    await storage.close();
  }
});

import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createServer, type SpoorServer } from '../../src/server/create-server.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { fillProject, openStalledExport, readExport } from '../load/calls.ts';
import { observeReads } from './observe-reads.ts';

const READERS = 8;
const EXPORT_BYTES = 24 * 1024 ** 2;

/** Half of what Linux buffers for one socket; about 1.4 MiB were seen: a chunk as records, as lines and packed. */
const HELD_BYTES = 2 * 1024 ** 2;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test.each([
  ['plain', false],
  ['packed', true],
])('a %s stream that nobody reads holds less than its socket does', { timeout: 60_000 }, async (_name, isPacked) => {
  const { server, chunks } = await startFilled();
  await readExport(server, { isPacked });
  const whole = chunks.count;
  chunks.count = 0;
  const before = heldBytes();

  const sockets = await Promise.all(Array.from({ length: READERS }, () => openStalledExport(server, isPacked)));
  onTestFinished(() => sockets.forEach((socket: Socket) => socket.destroy()));
  await standstill(chunks);

  expect(chunks.count).toBeGreaterThanOrEqual(READERS);
  // Else it was the end of the export that stopped the service.
  expect(chunks.count).toBeLessThan(READERS * whole);
  // On a slow machine some of what was read a second ago is still being packed.
  await expect.poll(() => (heldBytes() - before) / READERS).toBeLessThan(HELD_BYTES);
});

interface Chunks {
  count: number;
}

async function startFilled(): Promise<{ server: SpoorServer; chunks: Chunks }> {
  const home = mkdtempSync(join(tmpdir(), 'spoor-'));
  const chunks = { count: 0 };
  const database = await openSqliteStorage({ path: join(home, 'spoor.db') });
  const storage = observeReads(database, { onChunk: () => (chunks.count += 1) });
  const server = await createServer({ storage, home, port: 0 });
  onTestFinished(async () => {
    await server.close();
    rmSync(home, { recursive: true });
  });
  await fillProject(server, { bytes: EXPORT_BYTES, callBytes: 16 * 1024 });
  return { server, chunks };
}

/** Resolves when nothing was read for a second. */
async function standstill(chunks: Chunks): Promise<void> {
  for (let quiet = 0, seen = -1; quiet < 10; seen = chunks.count) {
    quiet = seen === chunks.count && seen > 0 ? quiet + 1 : 0;
    await sleep(100);
  }
}

/** What this thread holds when all garbage is gone. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

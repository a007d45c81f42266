import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';

const CHILD = fileURLToPath(new URL('lock-child.ts', import.meta.url));

test('whoever opens a database waits for another process that is writing to it', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'spoor.db');
  const first = openWriteConnection({ path, durable: 'crash' });
  migrate(first);
  first.close();
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.stdin.write('go on\n');
  const second = openWriteConnection({ path, durable: 'crash' });
  expect(second.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  second.close();
});

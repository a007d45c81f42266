import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@clickhouse/client';

const SHIM = fileURLToPath(new URL('shim.js', import.meta.url));

/** A database of its own on an engine. */
export async function newDatabaseOn(url: string): Promise<{ readonly name: string; readonly url: string }> {
  const name = `spoor_test_${randomUUID().replaceAll('-', '')}`;
  await run(url, `CREATE DATABASE ${name}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return { name, url: address.href };
}

export async function run(url: string, query: string): Promise<void> {
  const client = createClient({ url });
  try {
    await client.command({ query });
  } finally {
    await client.close();
  }
}

/** chDB behind the HTTP interface of ClickHouse, in a process of its own. */
export interface Shim {
  readonly url: string;
  readonly close: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

interface Unrefed {
  readonly unref?: () => void;
}

/** Starts one on a folder, which is removed when it is closed. @default a new folder, any port */
export async function startShim(given?: string, port = '0'): Promise<Shim> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'spoor-chdb-')));
  const child = spawn(process.execPath, [SHIM, folder, port], { stdio: ['pipe', 'pipe', 'inherit'] });
  // It ends with this process, and must not keep it; what it holds of this process' standard error would keep the runner.
  for (const handle of [child, child.stdin, child.stdout]) (handle as Unrefed).unref?.();
  const end = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', end);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', (code) => reject(new Error(`The engine ended with ${code} before it could be asked`)));
  });
  return {
    url,
    close: async () => {
      process.removeListener('exit', end);
      await ended(child, () => child.stdin.end());
    },
    kill: async () => {
      process.removeListener('exit', end);
      await ended(child, () => child.kill('SIGKILL'));
    },
  };
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  end();
  await exit;
}

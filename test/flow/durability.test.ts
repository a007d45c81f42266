import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openWriteConnection } from '../../src/storage/sqlite/connection.ts';
import { buildOnce } from '../build.ts';
import { environmentOf, ROOT } from './service-process.ts';

const WRITES = 20;

beforeAll(buildOnce, 120_000);

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-durable-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.each([
  ['crash', 1],
  ['power', 2],
] as const)(
  'with durable %s the writer has level %i of synchronous, in a log that is written ahead',
  (durable, level) => {
    const database = openWriteConnection({ path: join(makeFolder(), 'calls.db'), durable });
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: level });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    database.close();
  },
);

const hasStrace = (() => {
  try {
    execFileSync('strace', ['-f', 'true'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

/** One write after the other, so that none shares a commit. */
const PROGRAM = `
import { createServer } from ${JSON.stringify(`${ROOT}dist/server/create-server.js`)};
const [dataDir, durable] = process.argv.slice(2);
const server = await createServer({ dataDir, durable, port: 0 });
const headers = { authorization: 'Bearer ' + server.apiKey };
for (let n = 0; n < ${WRITES}; n++) {
  const start = { project_id: 'a/b', id: 'c' + n, op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
  const body = JSON.stringify({ start });
  const { status } = await fetch(server.url + '/call/start', { method: 'POST', headers, body });
  if (status !== 200) throw new Error('status ' + status);
}
process.exit(0);
`;

/** How often the service made the disk write the log, while it took the writes. */
async function countSyncs(durable: string): Promise<number> {
  const folder = makeFolder();
  const trace = join(folder, 'trace');
  const program = join(folder, 'program.mjs');
  writeFileSync(program, PROGRAM);
  const options = ['-f', '-y', '-e', 'trace=fsync,fdatasync', '-o', trace];
  const child = spawn('strace', [...options, process.execPath, program, join(folder, 'data'), durable], {
    env: environmentOf(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => /f(data)?sync\(\d+<[^>]*spoor\.db-wal>/.test(line)).length;
}

test.skipIf(!hasStrace)(
  'with durable power every commit makes the disk write, without it none does',
  { timeout: 60_000 },
  async () => {
    expect(await countSyncs('power')).toBeGreaterThanOrEqual(WRITES);
    expect(await countSyncs('process')).toBeLessThan(WRITES / 2);
  },
);

test.runIf(!hasStrace)('SKIPPED on this machine, which has no strace: that every commit makes the disk write', () => {
  expect(hasStrace).toBe(false);
});

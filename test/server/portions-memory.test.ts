import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'read-in-heap-child.ts');

/** What modules and the programs that load them take, and a few portions. */
const HEAP_MIB = 64;

/** As values, the largest of each does not fit in. */
test.each([
  ['table', 150_000],
  ['table', 300_000],
  ['table', 600_000],
  ['spans', 25_000],
  ['spans', 50_000],
  ['spans', 100_000],
] as const)('a %s body of %i small items is read in the same heap', { timeout: 120_000 }, async (kind, count) => {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const heap = [`--max-old-space-size=${HEAP_MIB}`, '--max-semi-space-size=1'];
  const args = [...heap, '--import', tsx, '--conditions=spoor-source', PROGRAM, kind, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
  expect(Number(stdout)).toBe(count);
});

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'read-in-heap-child.ts');

/** What modules and the programs that load them take, and a few portions. */
const HEAP_MIB = 64;

async function readIn(heapMib: number, kind: string, count: number): Promise<number> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const heap = [`--max-old-space-size=${heapMib}`, '--max-semi-space-size=1'];
  const args = [...heap, '--import', tsx, '--conditions=spoor-source', PROGRAM, kind, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
  return Number(stdout);
}

/** As values, the largest of each does not fit in. */
test.each([
  ['table', 150_000],
  ['table', 300_000],
  ['table', 600_000],
  ['spans', 25_000],
  ['spans', 50_000],
  ['spans', 100_000],
] as const)('a %s body of %i small items is read in the same heap', { timeout: 120_000 }, async (kind, count) => {
  expect(await readIn(HEAP_MIB, kind, count)).toBe(count);
});

/** The digests alone, as values, do not fit in: not those of the largest as texts of many, which each that went could keep. */
test.each([500_000, 1_000_000, 2_000_000])(
  'a table of %i rows is updated in the same heap',
  { timeout: 120_000 },
  async (count) => {
    expect(await readIn(HEAP_MIB, 'update', count)).toBe(count);
  },
);

test.each([4_000_000, 8_000_000, 16_000_000])(
  'an object of one text with %i characters is made in the same heap beside it',
  { timeout: 120_000 },
  async (count) => {
    expect(await readIn(HEAP_MIB + Math.ceil(count / 1024 ** 2), 'object', count)).toBe(count);
  },
);

/** A list with one item in it, as a value. */
const LIST_BYTES = 56;

test.each([400, 800, 1600])(
  'a row of %i values of a thousand levels is written in the same heap beside them',
  { timeout: 120_000 },
  async (count) => {
    const heapMib = HEAP_MIB + Math.ceil((count * 1000 * LIST_BYTES) / 1024 ** 2);
    expect(await readIn(heapMib, 'deep', count)).toBe(count);
  },
);

/** What is kept of each at the least, besides. */
const ITEM_BYTES = { events: 110, attributes: 90 };

test.each([
  ['events', 120_000],
  ['events', 250_000],
  ['events', 499_000],
  ['attributes', 60_000],
  ['attributes', 120_000],
  ['attributes', 249_000],
] as const)(
  'one span with %s, %i of them, is read in so much memory for each',
  { timeout: 120_000 },
  async (kind, count) => {
    const heapMib = HEAP_MIB + Math.ceil((count * ITEM_BYTES[kind]) / 1024 ** 2);
    expect(await readIn(heapMib, kind, count)).toBe(1);
  },
);

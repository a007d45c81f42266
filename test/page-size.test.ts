import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { BUDGETS } from '../bench/ui/budgets.ts';
import { PageFiles } from '../src/server/page/page-files.ts';
import { buildOnce } from './build.ts';

const PAGE = new URL('../dist/ui/', import.meta.url);

/** KB of gzip that the first page may take. */
function budgetOf(figure: string): number {
  return BUDGETS.find((budget) => budget.figure === figure)?.atMost ?? 0;
}

/** Smaller files are sent as they are: packing saves less than a packet. */
const SMALLEST_PACKED_BYTES = 1024;

beforeAll(buildOnce);

/** A file of the built page: most are there in their packed form only. */
function read(name: string): string {
  const packed = new URL(`assets/${name}.br`, PAGE);
  return (
    existsSync(packed) ? brotliDecompressSync(readFileSync(packed)) : readFileSync(new URL(`assets/${name}`, PAGE))
  ).toString();
}

function filesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(({ 1: name }) => name ?? []);
}

/** What `index.html` asks for, with all that these import before anything is shown. */
function filesAtStart(): readonly string[] {
  const index = readFileSync(new URL('index.html', PAGE), 'utf8');
  const files = new Set(filesIn(index, /\/assets\/([\w.-]+\.(?:js|css))"/g));
  for (const file of files)
    if (file.endsWith('.js'))
      for (const imported of filesIn(read(file), /(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) files.add(imported);
  return [...files];
}

test('the first page, which is the list of calls, is within the budget that it has', () => {
  const files = filesAtStart();
  const kbOf = (ending: string): number =>
    files
      .filter((file) => file.endsWith(`.${ending}`))
      .reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length / 1024, 0);
  const texts = files.map(read).join('\n');
  // Were it loaded later, it would not be counted.
  expect(texts).toContain('Calls over time');
  // The page has no mutations; each query client would bring their code.
  expect(texts).not.toContain('onMutate');
  expect(kbOf('js')).toBeLessThan(budgetOf('firstJsKb'));
  expect(kbOf('css')).toBeLessThan(budgetOf('firstCssKb'));
  expect(kbOf('css')).toBeGreaterThan(1);
});

test('every file that the page asks for has the hash of its content in its name, so that browsers keep it forever', () => {
  const names = readdirSync(new URL('assets/', PAGE)).map((name) => name.replace(/\.br$/, ''));
  expect(names.length).toBeGreaterThan(40);
  // A hash has eight characters, of which some may be a word; but not most of them.
  expect(names.filter((name) => !/^[\w.-]+-[\w-]{8}\.(?:js|css|svg)$/.test(name))).toEqual([]);
  const hashes = names.map((name) => /([\w-]{8})\.\w+$/.exec(name)?.[1] ?? '');
  expect(hashes.filter((hash) => /^[a-z]+$/.test(hash)).length).toBeLessThan(names.length / 4);
  expect(new Set(hashes).size).toBe(names.length);
  const files = new PageFiles();
  expect(names.filter((name) => files.get(`assets/${name}`)?.isImmutable !== true)).toEqual([]);
});

test('files of the page that are larger than a packet are there in their packed form, and in no other', () => {
  const paths = readdirSync(PAGE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith('index.html'));
  const packed = paths.filter((path) => path.endsWith('.br'));
  expect(packed.length).toBeGreaterThan(20);
  expect(packed.filter((path) => existsSync(path.slice(0, -'.br'.length)))).toEqual([]);
  const plain = paths.filter((path) => !packed.includes(path));
  expect(plain.filter((path) => readFileSync(path).length >= SMALLEST_PACKED_BYTES)).toEqual([]);
  const unpacked = packed.map((path) => ({ path, size: brotliDecompressSync(readFileSync(path)).length }));
  expect(unpacked.filter(({ path, size }) => size <= readFileSync(path).length)).toEqual([]);
});

import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildOnce } from './build.ts';

const PAGE = new URL('../dist/ui/', import.meta.url);

/** KB of gzip that the first page may take. */
const BUDGETS = { js: 120, css: 12 };

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
  expect(kbOf('js')).toBeLessThan(BUDGETS.js);
  expect(kbOf('css')).toBeLessThan(BUDGETS.css);
  expect(kbOf('css')).toBeGreaterThan(1);
});

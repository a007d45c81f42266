import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const GLOSSARY = readFileSync(fileURLToPath(new URL('../../docs/reference/glossary.md', import.meta.url)), 'utf8');

/** What stands for another word of the glossary, and would be a second one for the same thing. */
const OTHER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/[oO]wn(?:Code|Module|Export|Price)|OWN_(?:CODE|PRICES)/, 'program'],
  [/left-?overs?\b(?! of)|[lL]eftOver/, 'orphaned segment'],
  [/\b(?:Read|Write|OneConnection)?Desk\b|\bopenDesk\b/, 'endpoint'],
  [/\b(?:const|let|readonly|function) through|#through|\bthrough[A-Z]\w*\b/, 'expanded'],
  [/\b(?:Read|Write)Side\b|\bopenSides\b/, 'client'],
];

function sources(): readonly (readonly [file: string, text: string])[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return files.map((file) => [file, readFileSync(`${SOURCE}${file}`, 'utf8')]);
}

test.each(OTHER_WORDS)('nothing is called %s', (word, meant) => {
  expect(GLOSSARY).toContain(meant);
  expect(sources().flatMap(([file, text]) => (word.test(text) ? [file] : []))).toEqual([]);
});

test('no word is explained twice', () => {
  const words = [...GLOSSARY.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word, index) => word !== 'Word' && words.indexOf(word) !== index)).toEqual([]);
});

/** Where each of these may be declared: a second home would make two things of one. */
const HOMES: readonly (readonly [name: string, homes: readonly string[]])[] = [
  ['isJsonObject', ['protocol/values/json-object.ts']],
  ['asJsonObject', ['protocol/values/json-object.ts']],
  ['isObject', ['protocol/values/parsed-object.ts']],
  ['parseRetryAfter', ['protocol/error.ts']],
  ['readConfigFile', ['cli/config-file.ts']],
];

test.each(HOMES)('%s has its home', (name, homes) => {
  const declared = new RegExp(`\\bfunction ${name}\\b`);
  expect(
    sources()
      .flatMap(([file, text]) => (declared.test(text) ? [file] : []))
      .toSorted(),
  ).toEqual(homes);
});

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** Words that put off what a thing is. */
const PUT_OFF = /^\s*\/\*\*(?:\n\s*\*)? (?:What|Which|Whose)\b.*$/gm;

test('comments on declarations begin with the noun', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const texts = files.map((file) => [file, readFileSync(`${SOURCE}${file}`, 'utf8')] as const);
  expect(texts.filter(([, text]) => text.includes('/** ')).length).toBeGreaterThan(500);
  const wrong = texts.flatMap(([file, text]) => [...text.matchAll(PUT_OFF)].map(([comment]) => `${file}: ${comment}`));
  expect(wrong).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../docs/decisions/', import.meta.url));

const textOf = (file: string) => readFileSync(`${FOLDER}${file}`, 'utf8');

function decisions(): string[] {
  return readdirSync(FOLDER).filter((file) => /^\d{4}-/.test(file));
}

test('the index has a line for each decision, by its number and title', () => {
  const lines = textOf('README.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  const titles = decisions().map((file) => {
    const [, number, title] = /^# (\d{4}) (.+)$/m.exec(textOf(file)) ?? [];
    return `- [${number}](${file}) ${title}`;
  });
  expect(titles.length).toBeGreaterThan(30);
  expect(lines).toEqual(titles);
});

test('the code that a decision explains names it', () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const code = [...files.map((file) => `${source}${file}`), fileURLToPath(new URL('../../bundle.ts', import.meta.url))]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(decisions().filter((file) => !code.includes(`docs/decisions/${file}`))).toEqual([]);
});

test.each(decisions())('%s has its own number, and says context, decision and consequences', (file) => {
  expect(decisions().filter((other) => other.startsWith(file.slice(0, 5)))).toEqual([file]);
  const text = textOf(file);
  expect(text.startsWith(`# ${file.slice(0, 4)} `)).toBe(true);
  for (const part of ['**Context.**', '**Decision.**', '**Consequences.**']) expect(text).toContain(part);
});

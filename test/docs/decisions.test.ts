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

test.each(decisions())('%s has its own number, and says context, decision and consequences', (file) => {
  expect(decisions().filter((other) => other.startsWith(file.slice(0, 5)))).toEqual([file]);
  const text = textOf(file);
  expect(text.startsWith(`# ${file.slice(0, 4)} `)).toBe(true);
  for (const part of ['**Context.**', '**Decision.**', '**Consequences.**']) expect(text).toContain(part);
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCommands, command } from '../../../src/ui/shell/commands.ts';

const PARTS = allCommands().map(({ name, commands }) => ({ name, keys: commands.flatMap(({ keys }) => keys) }));

test('every part of the page takes its keys from the one list', () => {
  const ui = new URL('../../../src/ui/', import.meta.url).pathname;
  const files = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const texts = new Map(files.map((file) => [file, readFileSync(ui + file, 'utf8')]));
  const withKeys = files.filter((file) => /\b(?:useKeys|KeyBinding)\b/.test(texts.get(file) ?? ''));
  expect(withKeys).toContain('trace/trace-keys.ts');
  const withOwn = withKeys.filter((file) => /\bkeys: \[['"`]/.test(texts.get(file) ?? ''));
  expect(withOwn).toEqual([]);
});

test.each(PARTS)('no key has two meanings in $name, or one that it has everywhere', ({ name, keys }) => {
  const everywhere = PARTS.find((part) => part.name === 'Everywhere' && part.name !== name)?.keys ?? [];
  const all = [...keys, ...everywhere];
  expect(all.filter((each, index) => all.indexOf(each) < index)).toEqual([]);
});

test('no key begins another', () => {
  const all = PARTS.flatMap(({ keys }) => keys);
  expect(all.filter((each) => all.some((other) => other.startsWith(`${each} `)))).toEqual([]);
});

test('a command has its key and its name', () => {
  expect(command('Trace', 'Shift+ArrowLeft')).toEqual({ keys: ['Shift+ArrowLeft'], label: 'Earlier' });
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCommands, command } from '../../../src/ui/shell/commands.ts';

const UI = new URL('../../../src/ui/', import.meta.url).pathname;

/** The sources of the page. */
const TEXTS = new Map(
  readdirSync(UI, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(UI + file, 'utf8')] as const),
);

const PARTS = allCommands().map(({ name, commands }) => ({ name, keys: commands.flatMap(({ keys }) => keys) }));

test('every part of the page takes its keys from the one list', () => {
  expect(TEXTS.size).toBeGreaterThan(100);
  const withKeys = [...TEXTS.keys()].filter((file) => /\b(?:useKeys|KeyBinding)\b/.test(TEXTS.get(file) ?? ''));
  expect(withKeys).toContain('trace/trace-keys.ts');
  const withOwn = withKeys.filter((file) => /\bkeys: \[['"`]/.test(TEXTS.get(file) ?? ''));
  expect(withOwn).toEqual([]);
});

test('every command of the list is one of a part of the page', () => {
  const own = [...TEXTS.values()].flatMap((text) =>
    [...text.matchAll(/\bcommand\('(\w+)', '([^']+)'\)/g)].map(([, part, key]) => `${part} ${key}`),
  );
  const bound = [...own, ...boundInTrees()];
  const listed = PARTS.flatMap(({ name, keys }) => keys.map((key) => `${name} ${key}`));
  expect(listed.filter((each) => !bound.includes(each))).toEqual([]);
  expect(bound.length).toBeGreaterThan(50);
});

/** Keys that all trees have, of each part that shows one. */
function boundInTrees(): string[] {
  const keys = [...(TEXTS.get('tree/tree-keys.ts') ?? '').matchAll(/\bcommand\(part, '([^']+)'\)/g)];
  const parts = [...TEXTS.values()].flatMap((text) => [...text.matchAll(/\btreeBindings\('(\w+)'/g)]);
  return parts.flatMap(([, part]) => keys.map(([, key]) => `${part} ${key}`));
}

/** Parts that are shown at the same time. */
const TOGETHER: readonly (readonly string[])[] = [
  ['Everywhere', 'List', 'Call', 'Feedback'],
  ['Everywhere', 'Trace', 'Call', 'Feedback'],
  ['Everywhere', 'Compare'],
  ['Everywhere', 'Threads'],
  ['Everywhere', 'Runs'],
  ['Everywhere', 'Thread', 'Feedback'],
];

test('every part is shown with others', () => {
  expect([...new Set(TOGETHER.flat())].toSorted()).toEqual(PARTS.map(({ name }) => name).toSorted());
});

test.each(TOGETHER.map((shown) => ({ shown, names: shown.join(', ') })))(
  'no key has two meanings in $names',
  ({ shown }) => {
    const keys = PARTS.filter(({ name }) => shown.includes(name)).flatMap((part) =>
      part.keys.filter((key) => !isFirst(part.name, key)),
    );
    expect(keys.filter((each, index) => keys.indexOf(each) < index)).toEqual([]);
  },
);

/** Is it said which of the two goes first? */
function isFirst(part: string, key: string): boolean {
  return [...TEXTS.values()].some((text) => text.includes(`command('${part}', '${key}'), isFirst: true`));
}

test('only keys of the list go before those of another part', () => {
  const first = PARTS.flatMap(({ name, keys }) =>
    keys.filter((key) => isFirst(name, key)).map((key) => `${name} ${key}`),
  );
  expect(first).toEqual(['List +', 'List -', 'List c']);
});

test('names begin with a capital letter, and pages are called as in the navigation', () => {
  const labels = allCommands().flatMap(({ commands }) => commands.map(({ label }) => label));
  expect(labels.filter((label) => !/^[A-Z]/.test(label) || /\bto (?:calls|threads)$/.test(label))).toEqual([]);
});

test('no key begins another', () => {
  const all = PARTS.flatMap(({ keys }) => keys);
  expect(all.filter((each) => all.some((other) => other.startsWith(`${each} `)))).toEqual([]);
});

test('a command has its key and its name', () => {
  expect(command('Trace', 'Shift+ArrowLeft')).toEqual({ keys: ['Shift+ArrowLeft'], label: 'Pan to earlier' });
});

test('a command that is not in the list is none', () => {
  expect(() => command('Trace', 'Ü' as 'j')).toThrow('Trace has no command with the key Ü');
});

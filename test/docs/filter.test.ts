import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { definitionOf, FILTER_FIELDS, isOrdered, OPTIONAL_FIELDS, type ValueKind } from '../../src/filter/fields.ts';
import { parseFilter } from '../../src/filter/parse-filter.ts';
import { toSelection } from '../../src/filter/to-selection.ts';
import { FILTER_LIMITS, type FilterTree } from '../../src/filter/tree.ts';

const PAGE = readFileSync(new URL('../../docs/reference/filter.md', import.meta.url), 'utf8');

/** The rows of the table below a heading, or of the first one. */
function rowsOf(heading?: string): string[][] {
  const start = heading === undefined ? 0 : PAGE.indexOf(`${heading}\n`);
  const [table = ''] = /^\|[^]*?(?=^[^|])/m.exec(`${PAGE.slice(start)}\n.`) ?? [];
  const lines = table.trim().split('\n').slice(2);
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function treeOf(text: string): FilterTree {
  const tree = parseFilter(text);
  if (Array.isArray(tree)) throw new Error(`${text}: ${tree[0]?.message}`);
  return tree;
}

const CALLED: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  choice: 'word',
  count: 'number',
  money: 'money',
  duration: 'duration',
  time: 'time',
  json: 'any',
  field: 'field',
};

const STARS = { none: '', end: ' `…*`', both: ' `…*` `*…*`' };

function nameCell(name: string, path: 'required' | 'optional' | undefined): string {
  if (path === undefined) return `\`${name}\``;
  return path === 'required' ? `\`${name}.<path>\`` : `\`${name}\`, \`${name}.<path>\``;
}

test('every field has its line with what it takes, and every line its field', () => {
  const lines = FILTER_FIELDS.map(({ name }) => {
    const { takes, path, wildcard = 'none', meaning, example } = definitionOf(name);
    const orders = isOrdered({ field: name, ...(path && { path: 'x' }) }) ? ' `>` `>=` `<` `<=` `..`' : '';
    return [nameCell(name, path), CALLED[takes], `\`:\`${STARS[wildcard]}${orders}`, meaning, `\`${example}\``];
  });
  expect(rowsOf('## Fields')).toEqual(lines);
});

test('every filter of the page makes sense', () => {
  const examples = [rowsOf(), rowsOf('### Times')].flatMap((rows) => rows.flatMap(([cell = '']) => codesIn(cell)));
  expect(examples.length).toBeGreaterThan(20);
  for (const example of examples) expect(treeOf(example)).toHaveProperty('kind');
});

test('every word that a field takes is named', () => {
  for (const field of ['status', 'kind', 'roots'] as const) {
    const [, sentence = ''] = new RegExp(`- \\*\\*\`${field}\`\\*\\* ([^]*?)\\n(?=-)`).exec(PAGE) ?? [];
    expect(codesIn(sentence)).toEqual(Object.keys(definitionOf(field).choices ?? {}));
  }
});

test('every field that "has" takes is named', () => {
  const [, sentence = ''] = /- \*\*`has`\*\* ([^]*?)\n(?=-)/.exec(PAGE) ?? [];
  const codes = codesIn(sentence).filter((code) => !code.startsWith('has:'));
  expect([...new Set(codes)].sort()).toEqual([...OPTIONAL_FIELDS].sort());
});

test('every limit has its line with its value', () => {
  expect(rowsOf('## Limits').map(([key = '', value]) => [codesIn(key)[0], Number(value)])).toEqual(
    Object.entries(FILTER_LIMITS),
  );
});

test('the page names what queries cannot ask, and nothing else', () => {
  const context = { projectId: 'acme/demo', now: 0, timeZone: 'UTC' };
  const isBeyond = (text: string) => toSelection(treeOf(text), context).beyond !== undefined;
  const named = rowsOf('## What it becomes').flatMap(([cell = '']) => codesIn(cell));
  expect(named.filter((text) => !isBeyond(text.startsWith('tokens') || text === 'cost' ? `${text}>1` : text))).toEqual(
    [],
  );
  const others = FILTER_FIELDS.map(({ example }) => example).filter(
    (text) => !named.some((name) => text.startsWith(name)),
  );
  const beyond = others.filter(isBeyond);
  expect(beyond).toEqual(['status:error,running', 'model:gpt-4o*']);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { OPTIONS, PROCESS_VARIABLES, REGISTER_VARIABLES } from '../../src/client/options.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What stands before the first heading of a section; these have tables of other things. */
const [PAGE = '', ...SECTIONS] = readFileSync(join(ROOT, 'docs/reference/options.md'), 'utf8').split('\n## ');

/** Cells of the table, without code marks. */
const ROWS = [...PAGE.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) =>
  row.split('|').map((cell) => cell.replaceAll('`', '').trim()),
);

test('the page and the table of options say the same', () => {
  const described = OPTIONS.map(({ option, variable = '', default: fallback, unit = '' }) => [
    option,
    variable,
    fallback,
    unit,
  ]);
  expect(ROWS.map((cells) => cells.slice(0, 4))).toEqual(described);
  expect(ROWS.every((cells) => (cells[4] ?? '').length > 10)).toBe(true);
});

test('every option of init has its line', () => {
  const source = readFileSync(join(ROOT, 'src/client/options.ts'), 'utf8');
  const body = /export interface InitOptions \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? '';
  const names = [...body.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name);
  expect(OPTIONS.map(({ option }) => option)).toEqual(names);
});

test('every variable that recording reads has its line', () => {
  const sources = ['client', 'delivery', 'spool', 'tracing', 'objects'].flatMap((folder) =>
    readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(ROOT, 'src', folder, file), 'utf8')),
  );
  const read = sources.flatMap((text) => [...text.matchAll(/environment\[?\.?'?(SPOOR_\w+)/g)].map(([, name]) => name));
  const passed = sources.flatMap((text) => [...text.matchAll(/variable\('(SPOOR_\w+)'/g)].map(([, name]) => name));
  const documented = [...OPTIONS.flatMap(({ variable }) => variable ?? []), ...REGISTER_VARIABLES];
  const section = SECTIONS.find((each) => each.startsWith('Options of `spoor/register`')) ?? '';
  expect(REGISTER_VARIABLES.filter((variable) => !section.includes(`\`${variable}\``))).toEqual([]);
  expect(new Set([...read, ...passed])).toEqual(new Set(documented));
});

test('every variable of the whole process has its line', () => {
  const section = SECTIONS.find((each) => each.startsWith('What is told of the process')) ?? '';
  expect(PROCESS_VARIABLES.filter((variable) => !section.includes(`| \`${variable}\` |`))).toEqual([]);
});

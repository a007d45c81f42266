import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { SERVE_OPTIONS, type ServeOption } from '../../src/cli/serve-options.ts';

const PAGE = readFileSync(new URL('../../docs/reference/options.md', import.meta.url), 'utf8');

const ROWS = [...(PAGE.split('## Options of the service')[1] ?? '').matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) =>
  row.split(' | ').map((cell) => cell.replaceAll('`', '').trim()),
);
const options: readonly ServeOption[] = SERVE_OPTIONS;

test('every option of the service has its line and every line its option', () => {
  const described = options.map(({ key, flags, variable }) => [key, flags.split(' ', 1)[0], variable]);
  expect(ROWS.map((cells) => cells.slice(0, 3))).toEqual(described);
});

test.each(ROWS)(
  'what the page shows for "%s" is accepted in a file, and nonsense is not',
  (key, _flag, _variable, shown) => {
    const option = options.find((candidate) => candidate.key === key);
    expect(() => option?.read(JSON.parse(shown ?? ''), '/')).not.toThrow();
    expect(() => option?.read(Symbol('nonsense'), '/')).toThrow(InvalidArgumentError);
  },
);

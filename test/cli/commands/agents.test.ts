import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/program.ts';
import { ROOT } from '../../flow/service-process.ts';
import { PROJECT, useMemoryService } from './memory-service.ts';
import { recorded } from './recorded-traces.ts';
import { sendRun } from './send-run.ts';

const PAGE = readFileSync(`${ROOT}/docs/guides/agents.md`, 'utf8');
const DAY = '2026-01-02T10:00:00Z';
const usage = { 'gpt-4o': { requests: 1, input_tokens: 1200, output_tokens: 34 } };

const current = useMemoryService(async () => {
  const items = Array.from({ length: 60 }, (_, index) => {
    const isBad = index % 2 === 0;
    return recorded(DAY, [index * 1000, index * 1000 + 500], {
      id: `call-${index}`,
      trace_id: `trace-${index}`,
      thread_id: `thread-${index % 3}`,
      turn_id: `call-${index}`,
      op_name: 'answer',
      attributes: { region: isBad ? 'eu' : 'us' },
      inputs: { question: 'Where is order 1234?' },
      summary: { usage },
      ...(isBad && { exception: 'TypeError: no' }),
    });
  });
  const run = { id: 'p0f3c9a1b2c3d4e5f', commit: '9f2c3d4e5f60718293a4b5c6d7e8f90123456789', isDirty: false };
  await sendRun(current().service, run, { items: items.flat(), project: PROJECT });
});

/** Rows of the table of shapes: the words of a command behind `spoor`, and the names that it prints. */
const SHAPES = [...PAGE.matchAll(/^\| `spoor ([^`]+ --json)` \| (.+) \|$/gm)].map(
  ([, words = '', shape = '']): [words: string, names: string[]] => [
    words.replace('<id>', 'trace-2').replace('<text>', '1234').replace('<filter>', 'status:error'),
    [...shape.matchAll(/`([^`]+)`/g)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
  ],
);

test('the page has shapes', () => {
  expect(SHAPES.length).toBeGreaterThan(6);
});

test.each(SHAPES)('spoor %s prints what the page says', async (words, names) => {
  const { stdout, stderr, code } = await current().run(...words.split(' '));
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const printed = new Set<string>();
  JSON.parse(stdout, (key, value: unknown) => {
    printed.add(key);
    return value;
  });
  expect(names.filter((name) => !printed.has(name))).toEqual([]);
});

/** Commands in the text, without what a program of the reader's is called with. */
const COMMANDS = [...PAGE.matchAll(/`spoor ([^`]+)`/g)].map(([, words = '']) => words.split(' -- ')[0] ?? '');

test.each([...new Set(COMMANDS)])('there is spoor %s', (line) => {
  const [name, ...words] = line.split(' ');
  const command = createProgram().commands.find((each) => each.name() === name);
  const flags = words.filter((word) => /^-\S/.test(word));
  const known = command?.options.flatMap(({ long, short }) => [long, short]) ?? [];
  expect({ isThere: command !== undefined, unknown: flags.filter((flag) => !known.includes(flag)) }).toEqual({
    isThere: true,
    unknown: [],
  });
});

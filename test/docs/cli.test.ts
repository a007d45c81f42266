import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const PAGE = readFileSync(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8');

interface OptionRow {
  readonly flags: string;
  readonly variable: string;
  readonly defaultValue: string;
  readonly meaning: string;
}

/** Sections of the page by heading, each with the rows of its table. */
function sectionsOf(page: string): Map<string, OptionRow[]> {
  const sections = page.split(/^## /m).slice(1);
  return new Map(sections.map((section) => [section.split('\n', 1)[0]?.replaceAll('`', '') ?? '', rowsOf(section)]));
}

function rowsOf(section: string): OptionRow[] {
  const cells = [...section.matchAll(/^\| `(-.*?)` \|(.*?)\|(.*?)\| (.*) \|$/gm)];
  return cells.map(([, flags = '', variable = '', defaultValue = '', meaning = '']) => ({
    flags,
    variable: variable.replaceAll('`', '').trim(),
    defaultValue: defaultValue.replaceAll('`', '').trim(),
    meaning,
  }));
}

/** Commands that do something, each with the words that name it and the arguments it wants. */
function commandsOf(command: Command, words: readonly string[]): [string, Command][] {
  const args = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  const own: [string, Command] = [[...words, ...args].join(' '), command];
  const below = command.commands.flatMap((child) => commandsOf(child, [...words, child.name()]));
  return words.length > 1 && below.length > 0 ? below : [own, ...below];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const commands = commandsOf(createProgram(), ['spoor']);
const sections = sectionsOf(PAGE);

test('every command has its section and every section its command', () => {
  expect([...sections.keys()].sort()).toEqual(commands.map(([name]) => name).sort());
  expect(commands.length).toBeGreaterThan(5);
});

test.each(commands)('the options of %s are those of the page', (name, command) => {
  const rows = (sections.get(name) ?? []).filter(({ flags }) => flags !== '-h, --help');
  const { options } = command;
  expect(rows.map(({ flags, variable, defaultValue }) => ({ flags, variable, defaultValue }))).toEqual(
    options
      .map(({ flags, envVar, defaultValue }) => ({
        flags,
        variable: textOf(envVar),
        defaultValue: textOf(defaultValue),
      }))
      .sort(
        (one, other) =>
          rows.findIndex(({ flags }) => flags === one.flags) - rows.findIndex(({ flags }) => flags === other.flags),
      ),
  );
  for (const { flags, argChoices } of options) {
    const meaning = rows.find((row) => row.flags === flags)?.meaning;
    for (const choice of argChoices ?? []) expect(meaning).toContain(`\`${choice}\``);
  }
});

test('"-h, --help" stands with the whole program', () => {
  expect(sections.get('spoor')?.some(({ flags }) => flags === '-h, --help')).toBe(true);
  expect(createProgram().helpInformation()).toContain('-h, --help');
});

/** They read nothing of what was recorded. */
const WITHOUT_JSON = ['spoor', 'spoor serve', 'spoor run <command>', 'spoor open <id>', 'spoor completion <shell>'];

test('every command that reads prints JSON, too', () => {
  const without = commands.filter(([, { options }]) => !options.some(({ long }) => long === '--json'));
  expect(without.map(([name]) => name).toSorted()).toEqual(WITHOUT_JSON.toSorted());
});

import { type Command, Option } from 'commander';
import { screenWidth } from '../output/screen.ts';
import { wrapped } from '../output/wrapped.ts';
import { STORAGES } from '../serve-options.ts';
import { parseInstant, parsePositive } from '../parse-argument.ts';

/** By the name of a command what adds it, with its options, to the program. */
export type CommandDefinitions = Readonly<Record<string, (program: Command) => void>>;

/** Options that several commands have. */

/** Service and project. */
export function addServiceOptions(command: Command): Command {
  return addService(command).addOption(
    new Option('--project <entity/project>', 'project; without, the one of this folder').env('SPOOR_PROJECT'),
  );
}

export function addService(command: Command): Command {
  return command
    .addOption(
      new Option('--url <address>', 'address of the service; without, the one that runs here').env('SPOOR_URL'),
    )
    .addOption(new Option('--key <key>', 'key of the service').env('SPOOR_API_KEY'));
}

export function dataOption(description = 'data folder; without, "data" in the state folder'): Option {
  return new Option('--data <folder>', description).env('SPOOR_DATA');
}

/** Where a service keeps what it has, for commands that work on that beside it. */
export function addPlaceOptions(command: Command): Command {
  return command
    .addOption(dataOption())
    .addOption(
      new Option('--storage <engine>', 'engine of the service')
        .env('SPOOR_STORAGE')
        .choices(STORAGES)
        .default('sqlite'),
    )
    .addOption(
      new Option('--storage-url <address>', 'database of clickhouse, better given as a variable').env(
        'SPOOR_STORAGE_URL',
      ),
    );
}

export function filterOption(): Option {
  return new Option('-f, --filter <filter>', 'only calls that the filter means, as in "status:error latency>2s"');
}

export function sinceOption(what: string): Option {
  return new Option('--since <time>', `only ${what} since: 30m, 2h, 7d, or a local date or date-time`).argParser(
    parseInstant,
  );
}

export function limitOption(what: string): Option {
  return new Option('--limit <count>', `how many ${what}`).argParser(parsePositive).default(20);
}

/** Lines of a shell, each with what it is for, below the help of a command; at a narrow terminal that stands below the line. */
export function addExamples(command: Command, examples: Readonly<Record<string, string>>): Command {
  return command.addHelpText('after', () => `\nExamples:\n${exampleLines(Object.entries(examples)).join('\n')}`);
}

function exampleLines(examples: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, purpose]) => `  ${line.padEnd(width)}  ${purpose}`);
  if (Math.max(...lines.map(({ length }) => length)) <= screenWidth()) return lines;
  return examples.flatMap(([line, purpose]) => [`  ${line}`, ...wrapped(`      ${purpose}`, { indent: 6 })]);
}

import { Command, CommanderError } from 'commander';
import { PACKAGE_VERSION } from '../protocol/version.ts';
import { addCompletion } from './definitions/completion.ts';
import { CONTENTS } from './definitions/contents.ts';
import type { CommandDefinitions } from './definitions/options.ts';
import { READING } from './definitions/reading.ts';
import { RUNNING } from './definitions/running.ts';
import { UPKEEP } from './definitions/upkeep.ts';
import { UsageError } from './failure.ts';
import type { ServiceOptions } from './known-service.ts';

/** In the order in which help lists them. */
const DEFINITIONS: CommandDefinitions = { ...RUNNING, ...READING, ...CONTENTS, ...UPKEEP };

/** Variables by which requests go otherwise; where none is set nothing is loaded for them. */
const NETWORK = /^(https?_proxy|spoor_tls_\w+)$/i;

/** Runs the command that the arguments name; throws `UsageError` when they name none. */
export async function runProgram(args: readonly string[]): Promise<void> {
  forgetEmptyVariables();
  const program = createProgram(args[0]);
  try {
    await program.parseAsync(await helpAskedFor(program, args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version are asked for; they are printed already.
    if (error.exitCode === 0) return;
    throw new UsageError(await explain(error, program, args), { cause: error });
  }
}

/** `help keys create` as `keys create --help`: commander takes one name only. */
async function helpAskedFor(program: Command, args: readonly string[]): Promise<readonly string[]> {
  const [first, ...names] = args.filter((arg) => !arg.startsWith('-'));
  if (first !== 'help' || names.length < 2) return args;
  let command = program;
  for (const name of names) {
    const next = command.commands.find((each) => each.name() === name || each.aliases().includes(name));
    if (next === undefined) throw new UsageError(`${await unknown(name, command)} (see "spoor --help")`);
    command = next;
  }
  return [...names, '--help'];
}

/** In a container file an empty variable is how one says nothing. */
function forgetEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith('SPOOR_') && value === '') delete process.env[name];
  }
}

/**
 * Every command with its options. Each action loads its own file: `spoor serve` has to be ready in a fraction of a
 * second, and does not pay for what other commands print with. Where `word` is the name of a command there is no other:
 * to define all of them takes 5 ms.
 */
export function createProgram(word?: string): Command {
  const program = new Command('spoor')
    .description('Records what a program does, keeps it, and shows it')
    .version(PACKAGE_VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .option('--verbose', 'print the cause of a failure too')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    // A column of texts may be as narrow as half of a narrow terminal.
    .configureHelp({ minWidthToWrap: 20 })
    .hook('preAction', async (_program, command) => {
      const names = command.options.map((option) => option.attributeName());
      if (names.includes('url') && Object.keys(process.env).some((name) => NETWORK.test(name))) {
        (await import('./network/use-network.ts')).useNetwork(command.opts<ServiceOptions>().url);
      }
      // `serve` reads all of the configuration file by itself.
      if (!names.includes('data') || names.includes('config')) return;
      await (await import('./configured-data.ts')).useConfiguredData(command);
    });
  const named = word !== undefined && Object.hasOwn(DEFINITIONS, word) ? DEFINITIONS[word] : undefined;
  if (named !== undefined) named(program);
  else addAll(program);
  return program;
}

function addAll(program: Command): void {
  for (const add of Object.values(DEFINITIONS)) add(program);
  addCompletion(program);
}

/** One line: commander's own text has a prefix, and a suggestion on a second line. */
async function explain(error: CommanderError, program: Command, args: readonly string[]): Promise<string> {
  const named = program.commands.find((command) => command.name() === args[0]);
  const help = named ? `spoor ${named.name()} --help` : 'spoor --help';
  const word = unknownWord(error, named, args);
  const said = word === undefined ? sentence(error, named) : await unknown(word, named ?? program);
  return `${said} (see "${help}")`;
}

/** A word in the place of a command that there is not. */
function unknownWord(error: CommanderError, named: Command | undefined, args: readonly string[]): string | undefined {
  if (error.code === 'commander.unknownCommand') return args.slice(1).find((arg) => !arg.startsWith('-'));
  if (named) return undefined;
  if (error.code === 'commander.help') return args.find((arg) => arg !== 'help') ?? '';
  // Words that are no command reach the default one as arguments it does not take.
  if (error.code === 'commander.excessArguments') return args.find((arg) => !arg.startsWith('-'));
  const [first] = args;
  return error.code === 'commander.unknownOption' && first?.startsWith('-') === false ? first : undefined;
}

async function unknown(word: string, holder: Command): Promise<string> {
  const { meantCommand } = await import('./meant-command.ts');
  const meant = meantCommand(
    word,
    holder.commands.map((command) => command.name()),
  );
  return `Unknown command '${word}'${meant === undefined ? '' : `. Did you mean "${meant}"?`}`;
}

function sentence(error: CommanderError, named: Command | undefined): string {
  if (error.code === 'commander.help' && named)
    return `Missing command: one of ${named.commands.map((command) => command.name()).join(', ')}`;
  const text = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

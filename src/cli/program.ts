import { Command, CommanderError, Option } from 'commander';
import { PACKAGE_VERSION } from '../protocol/version.ts';
import type { BackupOptions } from './commands/backup.ts';
import type { CheckOptions } from './commands/check.ts';
import type { ClientsOptions } from './commands/clients.ts';
import type { DoctorOptions } from './commands/doctor.ts';
import type { DrainOptions } from './commands/drain.ts';
import type { CreateKeyOptions, KeysOptions } from './commands/keys.ts';
import type { LsOptions } from './commands/ls.ts';
import type { RestoreOptions } from './commands/restore.ts';
import type { OpenOptions } from './commands/open.ts';
import type { StatsOptions } from './commands/stats.ts';
import type { TailOptions } from './commands/tail.ts';
import type { SaveViewOptions, ViewsOptions } from './commands/views.ts';
import type { ShowOptions } from './commands/show.ts';
import { UsageError } from './failure.ts';
import { parseEntities, parseInstant, parsePositive } from './parse-argument.ts';
import { addServeOptions } from './serve-options.ts';

const STATUSES = ['running', 'success', 'error', 'descendant_error'] as const;

/** Runs the command that the arguments name; throws `UsageError` when they name none. */
export async function runProgram(args: readonly string[]): Promise<void> {
  forgetEmptyVariables();
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version are asked for; they are printed already.
    if (error.exitCode === 0) return;
    throw new UsageError(explain(error, program, args), { cause: error });
  }
}

/** In a container file an empty variable is how one says nothing. */
function forgetEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith('SPOOR_') && value === '') delete process.env[name];
  }
}

/**
 * Every command with its options. Each action loads its own file: `spoor serve` has to be ready in a fraction of a
 * second, and does not pay for what other commands print with.
 */
export function createProgram(): Command {
  const program = new Command('spoor')
    .description('Records what a program does, keeps it, and shows it')
    .version(PACKAGE_VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .option('--verbose', 'print the cause of a failure too')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .hook('preAction', async (_program, command) => {
      const names = command.options.map((option) => option.attributeName());
      // `serve` reads all of the configuration file by itself.
      if (!names.includes('data') || names.includes('config')) return;
      await (await import('./configured-data.ts')).useConfiguredData(command);
    });
  addServe(program);
  addRun(program);
  addLs(program);
  addShow(program);
  addStats(program);
  addTail(program);
  addViews(program);
  addClients(program);
  addOpen(program);
  addKeys(program);
  addDoctor(program);
  addDrain(program);
  addOperation(program);
  return program;
}

function addServe(program: Command): void {
  const serve = program
    .command('serve', { isDefault: true })
    .description('run the service; this is what "spoor" alone does');
  addServeOptions(serve).action(async () => {
    const { readServeOptions } = await import('./serve-configuration.ts');
    const options = await readServeOptions(serve);
    await (await import('./commands/serve.ts')).serve(options);
  });
}

function addRun(program: Command): void {
  program
    .command('run')
    .description('run a program that is recorded, beside a service if none runs; the program stands behind --')
    .argument('<command...>', 'program with its arguments')
    .action(async (command: [string, ...string[]]) => {
      const { runRecorded } = await import('./commands/run.ts');
      await runRecorded(command);
    });
}

function addLs(program: Command): void {
  const ls = program.command('ls').description('list the newest traces');
  addServiceOptions(ls)
    .addOption(new Option('--limit <count>', 'how many traces').argParser(parsePositive).default(20))
    .option('-f, --filter <filter>', 'only traces whose first call meets a filter, as "status:error latency>2s"')
    .option('--view <name>', 'only traces whose first call meets the filter of a saved view')
    .option('--op <name>', 'only traces whose first call is of this op')
    .addOption(new Option('--status <status>', 'only traces whose first call has this status').choices(STATUSES))
    .option('--thread <id>', 'only traces of this thread')
    .addOption(
      new Option('--since <time>', 'only traces begun since: 30m, 2h, 7d, or a date-time').argParser(parseInstant),
    )
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: LsOptions) => (await import('./commands/ls.ts')).ls(options));
}

function addShow(program: Command): void {
  const show = program
    .command('show')
    .description('print a trace as a tree')
    .argument('<id>', 'id of a trace or call, its beginning or its end, or a call reference');
  addServiceOptions(show)
    .option('--full', 'print every call on its own, with attributes, inputs, output and the whole error')
    .option('--json', 'print the calls as JSON instead of a tree')
    .option('--html [file]', 'save the trace as one HTML file that shows it without a service')
    .action(async (id: string, options: ShowOptions) => (await import('./commands/show.ts')).show(id, options));
}

function addStats(program: Command): void {
  const stats = program.command('stats').description('count calls, errors, latency, tokens and cost');
  addServiceOptions(stats)
    .addOption(filterOption())
    .addOption(
      new Option('--since <time>', 'only calls begun since: 30m, 2h, 7d, or a date-time').argParser(parseInstant),
    )
    .option('--roots', 'only the first call of each trace')
    .option('--by <field>', 'count by op, kind, state, model, thread, user, error or a path such as attributes.tenant')
    .option('--json', 'print JSON')
    .action(async (options: StatsOptions) => (await import('./commands/stats.ts')).stats(options));
}

function addTail(program: Command): void {
  const tail = program.command('tail').description('print calls as they start and end');
  addServiceOptions(tail)
    .addOption(filterOption())
    .option('--roots', 'only the first call of each trace')
    .option('--json', 'print a line of JSON for each change')
    .action(async (options: TailOptions) => (await import('./commands/tail.ts')).tail(options));
}

function addViews(program: Command): void {
  const views = program.command('views').description('manage the saved views of a project');
  const load = () => import('./commands/views.ts');
  addServiceOptions(views.command('list').description('list the views'))
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: ViewsOptions) => (await load()).printViews(options));
  addServiceOptions(views.command('save').description('save a filter as a view').argument('<name>', 'name of the view'))
    .addOption(filterOption())
    .option('--json', 'print JSON')
    .action(async (name: string, options: SaveViewOptions) => (await load()).saveView(name, options));
  addServiceOptions(views.command('delete').description('delete a view').argument('<name>', 'name or id of the view'))
    .option('--json', 'print JSON')
    .action(async (name: string, options: ViewsOptions) => (await load()).deleteView(name, options));
}

function addClients(program: Command): void {
  const clients = program
    .command('clients')
    .description('list the programs that have sent calls since the service started');
  addService(clients)
    .option(
      '--project <entity/project>',
      'only programs that have sent for this project, or were refused before they named one',
    )
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: ClientsOptions) => (await import('./commands/clients.ts')).printClients(options));
}

function addOpen(program: Command): void {
  const open = program
    .command('open')
    .description('open the page in a browser, logged in')
    .argument('[id]', 'id of a trace or call, its beginning or its end');
  addServiceOptions(open)
    .option('--print', 'print the link only; it logs in once, within 15 minutes')
    .action(async (id: string | undefined, options: OpenOptions) =>
      (await import('./commands/open.ts')).open(id, options),
    );
}

function filterOption(): Option {
  return new Option('-f, --filter <filter>', 'only calls that the filter means, as in "status:error latency>2s"');
}

function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('manage the keys of a data folder, whether a service runs on it or not');
  const load = () => import('./commands/keys.ts');
  keys
    .command('create')
    .description('make a key and print it, this once')
    .argument('<name>', 'who or what will use it')
    .addOption(
      new Option('--entities <names>', 'entities it may use, separated by commas; all without').argParser(
        parseEntities,
      ),
    )
    .option('--import', 'allow it to write in the name of other users, as a copy of a project does')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (name: string, options: CreateKeyOptions) => (await load()).printNewKey(name, options));
  keys
    .command('list')
    .description('list the keys')
    .addOption(dataOption())
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: KeysOptions) => (await load()).printKeys(options));
  keys
    .command('revoke')
    .description('make a key useless from now on')
    .argument('<id>', 'id as "spoor keys list" prints it')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id: string, options: KeysOptions) => (await load()).printRevocation(id, options));
}

function addDoctor(program: Command): void {
  const doctor = program.command('doctor').description('check what recording and reading need, and say what to do');
  addServiceOptions(doctor)
    .addOption(dataOption('data folder; without, that of the service that runs here, else "data" in the state folder'))
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => (await import('./commands/doctor.ts')).doctor(options));
}

function addDrain(program: Command): void {
  const drain = program.command('drain').description('deliver what ended programs left on disk');
  addService(drain)
    .option('--json', 'print JSON')
    .action(async (options: DrainOptions) => (await import('./commands/drain.ts')).drain(options));
}

/** What is done with the data as a whole. */
function addOperation(program: Command): void {
  program
    .command('backup')
    .description('write all data to one file, whether a service runs on it or not')
    .argument('<file>', 'file to write')
    .option('--force', 'replace the file if it is there')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (file: string, options: BackupOptions) =>
      (await import('./commands/backup.ts')).backup(file, options),
    );
  program
    .command('restore')
    .description('put a backup into a data folder that no service uses')
    .argument('<file>', 'file that "spoor backup" wrote')
    .option('--force', 'replace the data that is there')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (file: string, options: RestoreOptions) =>
      (await import('./commands/restore.ts')).restore(file, options),
    );
  program
    .command('check')
    .description('check that the data is whole, whether a service runs on it or not')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (options: CheckOptions) => (await import('./commands/check.ts')).check(options));
}

function addServiceOptions(command: Command): Command {
  return addService(command).addOption(
    new Option('--project <entity/project>', 'project; without, the one of this folder').env('SPOOR_PROJECT'),
  );
}

function addService(command: Command): Command {
  return command
    .addOption(
      new Option('--url <address>', 'address of the service; without, the one that runs here').env('SPOOR_URL'),
    )
    .addOption(new Option('--key <key>', 'key of the service').env('SPOOR_API_KEY'));
}

function dataOption(description = 'data folder; without, "data" in the state folder'): Option {
  return new Option('--data <folder>', description).env('SPOOR_DATA');
}

/** One line: commander's own text has a prefix, and a suggestion on a second line. */
function explain(error: CommanderError, program: Command, args: readonly string[]): string {
  const named = program.commands.find((command) => command.name() === args[0]);
  const help = named ? `spoor ${named.name()} --help` : 'spoor --help';
  return `${sentence(error, named, args)} (see "${help}")`;
}

function sentence(error: CommanderError, named: Command | undefined, args: readonly string[]): string {
  if (error.code === 'commander.help' && named)
    return `Missing command: one of ${named.commands.map((command) => command.name()).join(', ')}`;
  if (error.code === 'commander.help') return `Unknown command '${args.find((arg) => arg !== 'help') ?? ''}'`;
  // Words that are no command reach the default one as arguments it does not take.
  if (error.code === 'commander.excessArguments' && !named)
    return `Unknown command '${args.find((arg) => !arg.startsWith('-'))}'`;
  const text = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

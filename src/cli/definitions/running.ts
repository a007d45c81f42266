import type { Command } from 'commander';
import type { DoctorOptions } from '../commands/doctor.ts';
import type { DrainOptions } from '../commands/drain.ts';
import type { OpenOptions } from '../commands/open.ts';
import { addServeOptions } from '../serve-options.ts';
import { addExamples, addService, addServiceOptions, dataOption, type CommandDefinitions } from './options.ts';

/** Commands that run the service, a program beside it, or help that records reach it. */
export const RUNNING = {
  serve: addServe,
  run: addRun,
  open: addOpen,
  doctor: addDoctor,
  drain: addDrain,
} satisfies CommandDefinitions;

function addServe(program: Command): void {
  const serve = program
    .command('serve', { isDefault: true })
    .description('run the service; this is what "spoor" alone does');
  addServeOptions(serve).action(async () => {
    const { readServeOptions } = await import('../serve-configuration.ts');
    const options = await readServeOptions(serve);
    await (await import('../commands/serve.ts')).serve(options, flagsGiven(serve));
  });
  addExamples(serve, {
    'spoor serve --port 8000': 'on another port',
    'spoor serve --storage memory': 'forget all at the end',
  });
}

/** Flags that stand on the command line, as they are written. */
function flagsGiven(command: Command): string[] {
  return command.options.flatMap((option) =>
    option.long && command.getOptionValueSource(option.attributeName()) === 'cli' ? [option.long] : [],
  );
}

function addRun(program: Command): void {
  const run = program
    .command('run')
    .description('run a program that is recorded, beside a service if none runs; the program stands behind --')
    .argument('<command...>', 'program with its arguments')
    .action(async (command: [string, ...string[]]) => {
      const { runRecorded } = await import('../commands/run.ts');
      await runRecorded(command);
    });
  addExamples(run, { 'spoor run -- node app.js': 'record a program', 'spoor run -- npm test': 'record the tests' });
}

function addOpen(program: Command): void {
  const open = program
    .command('open')
    .description('open the page in a browser, logged in')
    .argument('[id]', 'id of a trace or call, its beginning or its end');
  addServiceOptions(open)
    .option('--print', 'print the link only; it logs in once, within 15 minutes')
    .option('--editor', 'open the line where the call failed, or its op stands, in the editor of the service')
    .action(async (id: string | undefined, options: OpenOptions) =>
      (await import('../commands/open.ts')).open(id, options),
    );
  addExamples(open, {
    'spoor open': 'the newest calls',
    'spoor open 2d59a4f0': 'one trace',
    'spoor open --editor': 'its line',
  });
}

function addDoctor(program: Command): void {
  const doctor = program.command('doctor').description('check what recording and reading need, and say what to do');
  addServiceOptions(doctor)
    .addOption(dataOption('data folder; without, that of the service that runs here, else "data" in the state folder'))
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => (await import('../commands/doctor.ts')).doctor(options));
}

function addDrain(program: Command): void {
  const drain = program.command('drain').description('deliver what ended programs left on disk');
  addService(drain)
    .option('--json', 'print JSON')
    .action(async (options: DrainOptions) => (await import('../commands/drain.ts')).drain(options));
}

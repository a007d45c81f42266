import type { Command } from 'commander';
import type { ClientsOptions } from '../commands/clients.ts';
import type { FeedbackOptions } from '../commands/feedback.ts';
import type { ObjectOptions } from '../commands/object.ts';
import type { ObjectsOptions } from '../commands/objects.ts';
import type { ProjectsOptions } from '../commands/projects.ts';
import type { RunsOptions } from '../commands/runs.ts';
import type { ThreadsOptions } from '../commands/threads.ts';
import {
  addExamples,
  addService,
  addServiceOptions,
  limitOption,
  sinceOption,
  type CommandDefinitions,
} from './options.ts';

/** Commands that read what there is besides calls. */
export const CONTENTS = {
  projects: addProjects,
  runs: addRuns,
  threads: addThreads,
  objects: addObjects,
  object: addObject,
  feedback: addFeedback,
  clients: addClients,
} satisfies CommandDefinitions;

function addProjects(program: Command): void {
  const projects = program.command('projects').description('list the projects that have calls');
  addServiceOptions(projects)
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: ProjectsOptions) => (await import('../commands/projects.ts')).printProjects(options));
}

function addRuns(program: Command): void {
  const runs = program.command('runs').description('list runs of programs, with what they did and what it cost');
  addServiceOptions(runs)
    .addOption(limitOption('runs'))
    .option('--op <name>', 'only runs whose first call is of this op')
    .option('--call <id>', 'only the run that this call is of, or the first one of this trace')
    .option('--before <run>', 'only runs that began before this one')
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: RunsOptions) => (await import('../commands/runs.ts')).printRuns(options));
  addExamples(runs, {
    'spoor runs --op answer': 'what began with one op, the newest first',
    'spoor runs --op answer --before p0f3c9a1b2c3d4e5f --limit 1': 'the run before one of them',
    "spoor ls -f 'run:p0f3c9a1b2c3d4e5f'": 'the traces of one of them',
  });
}

function addThreads(program: Command): void {
  const threads = program.command('threads').description('list conversations, with what they cost');
  addServiceOptions(threads)
    .addOption(limitOption('threads'))
    .addOption(sinceOption('threads begun'))
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: ThreadsOptions) => (await import('../commands/threads.ts')).printThreads(options));
  addExamples(threads, { 'spoor ls --thread chat-7': 'the turns of one of them' });
}

function addObjects(program: Command): void {
  const objects = program.command('objects').description('list published objects, or the sources of ops');
  addServiceOptions(objects)
    .addOption(limitOption('objects'))
    .option('--ops', 'list ops instead')
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: ObjectsOptions) => (await import('../commands/objects.ts')).printObjects(options));
}

function addObject(program: Command): void {
  const object = program
    .command('object')
    .description('print a version of an object, or the source of an op')
    .argument('<name>', 'name of the object or op, or a reference to it');
  addServiceOptions(object)
    .option('--at <version>', 'a digest, v0, v1, …, or latest')
    .option('--versions', 'list the versions instead')
    .option('--json', 'print JSON')
    .action(async (name: string, options: ObjectOptions) =>
      (await import('../commands/object.ts')).printObject(name, options),
    );
  addExamples(object, {
    'spoor object prompt-qa': 'the newest version',
    'spoor object prompt-qa --at v0': 'the first one',
  });
}

function addFeedback(program: Command): void {
  const feedback = program.command('feedback').description('list feedback, the newest first');
  addServiceOptions(feedback)
    .addOption(limitOption('feedbacks'))
    .option('--on <ref>', 'only on what this reference or call id names')
    .option('--type <type>', 'only of this type, as in svc.note.1')
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: FeedbackOptions) => (await import('../commands/feedback.ts')).printFeedback(options));
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
    .action(async (options: ClientsOptions) => (await import('../commands/clients.ts')).printClients(options));
}

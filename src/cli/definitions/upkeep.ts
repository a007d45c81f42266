import { type Command, Option } from 'commander';
import type { BackupOptions } from '../commands/backup.ts';
import type { CheckOptions } from '../commands/check.ts';
import type { ExportOptions } from '../commands/export.ts';
import type { ImportCommandOptions } from '../commands/import.ts';
import type { CreateKeyOptions, KeysOptions } from '../commands/keys.ts';
import type { RestoreOptions } from '../commands/restore.ts';
import { parseEntities } from '../parse-argument.ts';
import {
  addExamples,
  addPlaceOptions,
  addService,
  addServiceOptions,
  dataOption,
  filterOption,
  sinceOption,
  type CommandDefinitions,
} from './options.ts';

/** Commands that care for a data folder. */
export const UPKEEP = {
  keys: addKeys,
  backup: addBackup,
  restore: addRestore,
  check: addCheck,
  export: addExport,
  import: addImport,
} satisfies CommandDefinitions;

function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('manage the keys of a data folder or database, whether a service runs on it or not');
  const load = () => import('../commands/keys.ts');
  const create = keys
    .command('create')
    .description('make a key and print it, this once')
    .argument('<name>', 'who or what will use it');
  addPlaceOptions(create)
    .addOption(
      new Option('--entities <names>', 'entities it may use, separated by commas; all without').argParser(
        parseEntities,
      ),
    )
    .option('--import', 'allow it to write in the name of other users, as a copy of a project does')
    .option('--json', 'print JSON')
    .action(async (name: string, options: CreateKeyOptions) => (await load()).printNewKey(name, options));
  addPlaceOptions(keys.command('list').description('list the keys'))
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: KeysOptions) => (await load()).printKeys(options));
  const revoke = keys
    .command('revoke')
    .description('make a key useless from now on')
    .argument('<id>', 'id as "spoor keys list" prints it');
  addPlaceOptions(revoke)
    .option('--json', 'print JSON')
    .action(async (id: string, options: KeysOptions) => (await load()).printRevocation(id, options));
}

function addBackup(program: Command): void {
  program
    .command('backup')
    .description('write all data to one file, whether a service runs on it or not')
    .argument('<file>', 'file to write')
    .option('--force', 'replace the file if it is there')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (file: string, options: BackupOptions) =>
      (await import('../commands/backup.ts')).backup(file, options),
    );
}

function addRestore(program: Command): void {
  program
    .command('restore')
    .description('put a backup into a data folder that no service uses')
    .argument('<file>', 'file that "spoor backup" wrote')
    .option('--force', 'replace the data that is there')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (file: string, options: RestoreOptions) =>
      (await import('../commands/restore.ts')).restore(file, options),
    );
}

function addCheck(program: Command): void {
  const check = program
    .command('check')
    .description('check that the data is whole, whether a service runs on it or not');
  addPlaceOptions(check)
    .option('--json', 'print JSON')
    .action(async (options: CheckOptions) => (await import('../commands/check.ts')).check(options));
}

function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('write all that a project has to a file of JSON Lines')
    .argument('<file>', 'file to write');
  addServiceOptions(command)
    .option('--all', 'every project that the key may read')
    .addOption(sinceOption('calls begun'))
    .addOption(filterOption())
    .option('--force', 'replace the file if it is there')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ExportOptions) =>
      (await import('../commands/export.ts')).exportAll(file, options),
    );
  addExamples(command, {
    'spoor export shop.jsonl --project shop': 'one project',
    'spoor export failed.jsonl -f status:error': 'calls that a filter finds, without what they refer to',
    'spoor export all.jsonl --all': 'a whole service; run again, it goes on where it was broken off',
  });
}

function addImport(program: Command): void {
  const command = program
    .command('import')
    .description('send what "spoor export" wrote, or calls that the page exported, to a service')
    .argument('<file>', 'file of JSON Lines');
  addService(command)
    .option('--json', 'print JSON')
    .action(async (file: string, options: ImportCommandOptions) =>
      (await import('../commands/import.ts')).importAll(file, options),
    );
  addExamples(command, { 'spoor import all.jsonl': 'into the service that runs here' });
}

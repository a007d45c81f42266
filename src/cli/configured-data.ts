import { type Command, InvalidArgumentError } from 'commander';
import { readConfigFile } from './config-file.ts';
import { readPath } from './option-value.ts';

/** Commands that work on a data folder use the one that the service of this configuration file uses. */
export async function useConfiguredData(command: Command): Promise<void> {
  if (command.getOptionValueSource('data') !== undefined) return;
  const file = await readConfigFile(process.env['SPOOR_CONFIG']);
  const data = file?.values['data'] ?? undefined;
  if (file === undefined || data === undefined) return;
  try {
    command.setOptionValueWithSource('data', readPath(data, file.folder), 'config');
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new Error(`Cannot use "data" of "${file.path}": ${error.message}`, { cause: error });
  }
}

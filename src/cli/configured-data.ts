import { type Command, InvalidArgumentError } from 'commander';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { SERVE_OPTIONS, type ServeOption } from './serve-options.ts';

/** Options by which commands that work beside a service find what it keeps. */
const PLACES = ['data', 'storage', 'storageUrl'];

/** Such commands use what the service of this configuration file uses. */
export async function useConfiguredData(command: Command): Promise<void> {
  const names = command.options.map((option) => option.attributeName());
  const options: readonly ServeOption[] = SERVE_OPTIONS.filter(
    ({ key }) => PLACES.includes(key) && names.includes(key),
  );
  const unset = options.filter(({ key }) => ['default', undefined].includes(command.getOptionValueSource(key)));
  if (unset.length === 0) return;
  const file = await readConfigFile(process.env['SPOOR_CONFIG']);
  if (file === undefined) return;
  for (const option of unset) useConfigured(command, option, file);
}

function useConfigured(command: Command, { key, read }: ServeOption, file: ConfigFile): void {
  const value = file.values[key] ?? undefined;
  if (value === undefined) return;
  try {
    command.setOptionValueWithSource(key, read(value, file.folder), 'config');
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new Error(`Cannot use "${key}" of "${file.path}": ${error.message}`, { cause: error });
  }
}

import { type Command, InvalidArgumentError } from 'commander';
import { CAPTURE_KEY } from '../client/program-code.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { UsageError } from './failure.ts';
import { SERVE_OPTIONS, type ServeOption, type ServeOptions } from './serve-options.ts';

/** The options of `spoor serve` from everywhere: a flag goes before a variable, that before the file. */
export async function readServeOptions(command: Command): Promise<ServeOptions> {
  const { config, ...values } = command.opts<Record<string, unknown> & { config?: string }>();
  const file = await readConfigFile(config);
  if (file) checkKeys(file);
  for (const row of SERVE_OPTIONS) {
    const source = command.getOptionValueSource(row.key);
    if (source === 'env') values[row.key] = fromVariable(row, values[row.key]);
    else if (source !== 'cli') values[row.key] = fromFile(row, file) ?? values[row.key];
  }
  // Each value was read by its row, which is where the type comes from.
  return values as ServeOptions;
}

/** To commander a switch is on when its variable is set, whatever to. */
function fromVariable({ flags, variable, read }: ServeOption, value: unknown): unknown {
  const text = process.env[variable] ?? '';
  if (flags.includes('<')) return value;
  return explain(
    () => read(text, process.cwd()),
    (reason) => new UsageError(`Variable ${variable} with the value '${text}' is invalid. ${reason}`),
  );
}

function fromFile({ key, read }: ServeOption, file: ConfigFile | undefined): unknown {
  const value = file?.values[key] ?? undefined;
  if (file === undefined || value === undefined) return undefined;
  return explain(
    () => read(value, file.folder),
    (reason) => new Error(`Cannot use "${key}" of "${file.path}": ${reason}`),
  );
}

function checkKeys({ path, values }: ConfigFile): void {
  const known = [...SERVE_OPTIONS.map(({ key }) => key as string), CAPTURE_KEY];
  const unknown = Object.keys(values).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`Unknown key "${unknown}" in "${path}": want ${known.join(', ')}`);
}

function explain(read: () => unknown, toError: (reason: string) => Error): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw toError(error.message);
  }
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['spoor.config.json', 'spoor.config.js', 'spoor.config.mjs'];

/** The configuration file of a folder, if it has one. */
export function findConfigFile(folder: string): string | undefined {
  const found = NAMES.filter((name) => existsSync(join(folder, name)));
  if (found.length > 1)
    throw new Error(`Cannot choose between ${found.join(' and ')} in "${folder}": want one of them`);
  return found[0] === undefined ? undefined : join(folder, found[0]);
}

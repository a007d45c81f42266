import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { builtin } from '../host/builtin.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder both halves share on one machine: `$SPOOR_HOME`, else `~/.spoor`. `undefined` when there is no home. */
export function stateFolder(environment: Environment = process.env): string | undefined {
  if (environment['SPOOR_HOME']) return resolve(environment['SPOOR_HOME']);
  const home = homeFolder();
  return home && join(home, '.spoor');
}

export function spoolFolder(home: string): string {
  return join(home, 'spool');
}

/**
 * Makes the folder for its owner only. One that exists keeps its mode: it may be somebody's shared folder.
 * Throws what the system says.
 */
export function ensurePrivateFolder(path: string): void {
  if (isFolder(path)) return;
  // One by one: `recursive` never returns where the system takes no folders, as below /proc on Node 20.
  if (dirname(path) !== path) ensurePrivateFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
}

/** Can segments be made in the state folder, as far as it can be known without making one? Makes the folder. */
export function hasPlace(home: string): boolean {
  const folder = spoolFolder(home);
  try {
    ensurePrivateFolder(folder);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Asks the system, which throws when the user has no entry and no `HOME`. */
function homeFolder(): string | undefined {
  try {
    return builtin('node:os').homedir() || undefined;
  } catch {
    return undefined;
  }
}

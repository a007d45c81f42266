import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

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
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Asks the system, which throws when the user has no entry and no `HOME`. */
function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

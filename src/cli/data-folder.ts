import { join, resolve } from 'node:path';
import { stateFolder } from '../spool/state-folder.ts';

/** The folder that is named, else `data` in the state folder. */
export function dataFolder(options: { readonly data?: string }): string {
  return options.data ? resolve(options.data) : join(homeFolder(), 'data');
}

/** Whether there is a state folder: users of containers may have no home. */
export function hasHomeFolder(): boolean {
  return stateFolder() !== undefined;
}

/** The state folder; throws when the system knows no home. */
export function homeFolder(): string {
  const home = stateFolder();
  if (home === undefined) throw new Error('There is no home folder: name a state folder with SPOOR_HOME');
  return home;
}

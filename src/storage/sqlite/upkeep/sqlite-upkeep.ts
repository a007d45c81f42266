import type { Upkeep } from '../../contract/upkeep.ts';
import { backUp } from './backup.ts';
import { checkDatabase } from './check.ts';
import { restore } from './restore.ts';

/** Care of the database in a file. */
export function sqliteUpkeep(path: string): Upkeep {
  return {
    backUp: async (file, options) => await backUp(path, file, options),
    check: async function* () {
      yield* checkDatabase(path);
    },
    restore: async (file, options) => await restore(file, path, options),
  };
}

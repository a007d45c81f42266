import { join } from 'node:path';

/** The file of the database in a data folder. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'spoor.db');
}

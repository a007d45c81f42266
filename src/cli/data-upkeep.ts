import { databasePath } from '../server/database-path.ts';
import type { Upkeep } from '../storage/contract/upkeep.ts';
import { openUpkeep } from '../storage/open.ts';

/** Care of what the service of a data folder keeps there. */
export async function dataUpkeep(folder: string): Promise<Upkeep> {
  return await openUpkeep({ engine: 'sqlite', path: databasePath(folder) });
}

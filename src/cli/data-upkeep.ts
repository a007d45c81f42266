import { databasePath } from '../server/database-path.ts';
import type { CheckResult, Upkeep } from '../storage/contract/upkeep.ts';
import { checkDatabase, openUpkeep } from '../storage/open.ts';
import { readConfigFile } from './config-file.ts';
import { dataFolder } from './data-folder.ts';

/** The data of a service, and the engine that keeps them. */
export interface PlaceOptions {
  readonly data?: string;
  /** @default 'sqlite' */
  readonly storage?: string;
  readonly storageUrl?: string;
}

/** Care of what the service of a data folder keeps there. */
export async function dataUpkeep(folder: string): Promise<Upkeep> {
  return await openUpkeep({ engine: 'sqlite', path: databasePath(folder) });
}

/** The same for backups; refused where the environment or the configuration file names an engine with tools of its own. */
export async function backupUpkeep(folder: string): Promise<Upkeep> {
  const file = await readConfigFile(process.env['SPOOR_CONFIG']);
  const storage = process.env['SPOOR_STORAGE'] ?? file?.values['storage'];
  return await openUpkeep({ engine: storage === 'clickhouse' ? storage : 'sqlite', path: databasePath(folder) });
}

interface CheckedPlace {
  /** Without user and password. */
  readonly path: string;
  readonly results: AsyncIterable<CheckResult>;
  /** The advice when something is wrong. */
  readonly remedy: string;
}

export async function checkedPlace(options: PlaceOptions): Promise<CheckedPlace> {
  if (options.storage === 'clickhouse') {
    const { storageUrl: url } = options;
    return {
      path: 'the database',
      results: checkDatabase(url),
      remedy: 'look at the log and the disk of ClickHouse',
    };
  }
  const folder = dataFolder(options);
  const upkeep = await dataUpkeep(folder);
  return {
    path: databasePath(folder),
    results: upkeep.check(),
    remedy: 'stop the service and restore a backup',
  };
}

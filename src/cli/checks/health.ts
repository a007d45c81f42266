import { TracingError } from '../../protocol/error.ts';
import type { Reader } from '../../reader/reader.ts';
import { databasePath } from '../../server/database-path.ts';
import type { Finding } from './finding.ts';
import { describeDisk, freeRoomBeside } from './free-room.ts';

export interface HealthOptions {
  readonly reader: Reader;
  readonly url: string;
  /** Of the service, where it runs for this state folder. */
  readonly dataFolder: string | undefined;
  /** The same of its database. */
  readonly database: string | undefined;
  readonly signal: AbortSignal;
}

/** Can the service read and write what it keeps? It answers requests also while it cannot. */
export async function checkHealth(options: HealthOptions): Promise<Finding> {
  const { reader, url, dataFolder, database, signal } = options;
  const about = 'storage';
  try {
    await reader.service.health({ signal });
    return {
      level: 'ok',
      about,
      message: `${database === undefined ? '' : `ClickHouse at ${database} `}can be read and written`,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isUnavailable = error instanceof TracingError && error.code === 'unavailable';
    const message = `${url} ${isUnavailable ? 'cannot work' : 'does not tell its health'}: ${reason}${placeOf(options)}`;
    return { level: 'problem', about, message, advice: adviceFor(reason, dataFolder) };
  }
}

/** The file and its disk; of a service elsewhere nobody knows here. */
function placeOf({ dataFolder, database }: HealthOptions): string {
  if (database !== undefined) return ` (ClickHouse at ${database})`;
  if (dataFolder === undefined) return '';
  const room = freeRoomBeside(dataFolder);
  return ` (${databasePath(dataFolder)}${room === undefined ? '' : ` on ${describeDisk(room)}`})`;
}

function adviceFor(reason: string, dataFolder: string | undefined): string {
  const known = ADVICE.find(([pattern]) => pattern.test(reason));
  if (known === undefined) return 'Look at the disk of the service and at its log';
  return known[1].replace('DATA', dataFolder === undefined ? '' : ` --data ${dataFolder}`);
}

/** By what the service says. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /ClickHouse/,
    'Look whether ClickHouse runs and has room, and what its log says: the service goes on without a restart; programs keep their records meanwhile',
  ],
  [/disk is full/, 'Make room on that disk: writing goes on without a restart; programs keep their records meanwhile'],
  [/malformed|not a database/, 'Stop the service, look with "spoor checkDATA", and restore a backup ("spoor restore")'],
  [/removed or replaced/, 'Put the files back, or restart the service, which begins with what is there then'],
  [/locked|does not end/, 'Look which other process uses the database, and whether its disk answers'],
];

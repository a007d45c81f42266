import { TracingError } from '../../protocol/error.ts';

/** Where a database is. The whole of it goes to the driver only: it may hold a password. */
export interface Address {
  readonly url: string;
  /** Host, port and database, for messages. */
  readonly shown: string;
  readonly user: string;
  readonly database: string;
}

const WANTED = 'want http://user:password@host:8123/database, with what is special in a password percent-encoded';

/** Throws `invalid_configuration`, without what was given. */
export function readAddress(url: string | undefined): Address {
  if (url === undefined || url === '')
    throw unreadable('there is none: set SPOOR_STORAGE_URL, or storageUrl in the configuration file');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) throw unreadable(WANTED);
  // The driver takes it as it stands, and says of a broken one that a URI is.
  decoded(parsed.password);
  const database = decoded(parsed.pathname.slice(1)) || 'default';
  if (database.includes('/')) throw unreadable(`the name of a database has no "/"; ${WANTED}`);
  return {
    url,
    shown: `${parsed.origin}/${database}`,
    user: decoded(parsed.username) || 'default',
    database,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw unreadable(WANTED);
  }
}

function unreadable(reason: string): TracingError {
  return new TracingError('invalid_configuration', `Cannot read the address of ClickHouse: ${reason}`);
}

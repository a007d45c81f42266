import { TracingError } from '../../protocol/error.ts';

/** Where a database is. The password goes to the driver only. */
export interface Address {
  readonly origin: string;
  /** Host, port and database, for messages. */
  readonly shown: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const WANTED = 'want http://user:password@host:8123/database, with what is special in a password percent-encoded';

/** Throws `invalid_configuration`, without what was given. */
export function readAddress(url: string | undefined): Address {
  if (url === undefined || url === '')
    throw unreadable('there is none: set SPOOR_STORAGE_URL, or storageUrl in the configuration file');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) throw unreadable(WANTED);
  const password = decoded(parsed.password);
  // The driver would take options out of it, among them secrets, and says of others only that it knows them not.
  if (parsed.search !== '') throw unreadable(`an address has no "?"; ${WANTED}`);
  const database = decoded(parsed.pathname.slice(1)) || 'default';
  if (database.includes('/')) throw unreadable(`the name of a database has no "/"; ${WANTED}`);
  return {
    origin: parsed.origin,
    shown: `${parsed.origin}/${database}`,
    user: decoded(parsed.username) || 'default',
    password,
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

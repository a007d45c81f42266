import { TracingError } from '../../protocol/error.ts';
import { isProjectId } from '../../protocol/values/id.ts';
import type { Keys } from './key-ring.ts';
import type { KeyRecord } from './keys.ts';
import { rememberPassed } from '../http/body/known-texts.ts';

/** Who makes a request. */
export interface Caller {
  readonly keyId: string;
  readonly userId: string;
  readonly entities: ReadonlySet<string>;
  /** May write records in the name of other users, as copying a project needs. */
  readonly mayImport: boolean;
}

/** The caller an `Authorization` header names: the password of `Basic`, or the token of `Bearer`, is the key. */
export function authenticate(header: string | undefined, keys: Keys): Caller {
  return callerOf(keyRecordOf(header, keys));
}

/** The record of the key that the header names. */
export function keyRecordOf(header: string | undefined, keys: Keys): KeyRecord {
  if (header === undefined) throw unauthenticated('The Authorization header is missing');
  const record = keys.find(readKey(header));
  if (!record) throw unauthenticated('The API key is unknown');
  return record;
}

/** Resolves when the key that the header names is known, if anybody knows it; undefined: there is nothing to wait for. */
export function lookUpKey(header: string | undefined, keys: Keys): Promise<void> | undefined {
  if (header === undefined) return undefined;
  try {
    return keys.lookUp?.(readKey(header));
  } catch {
    // It names none, for which it is refused when it is asked for.
    return undefined;
  }
}

export function callerOf({ id, userId, entities, privileges }: KeyRecord): Caller {
  return { keyId: id, userId, entities: new Set(entities), mayImport: privileges.includes('import') };
}

const isKnownProjectId = rememberPassed(isProjectId);

/** Refuses what is no project id, and a project of an entity that is not the caller's. */
export function checkProject(caller: Caller, projectId: string): void {
  if (!isKnownProjectId(projectId)) {
    throw new TracingError(
      'invalid_project_id',
      `Cannot use "${projectId.slice(0, 300)}" as a project: want <entity>/<project>`,
      { field: 'project_id' },
    );
  }
  const entity = projectId.slice(0, projectId.indexOf('/'));
  if (mayUse(caller, entity)) return;
  throw new TracingError('forbidden', `The API key may not use the entity "${entity}"`);
}

export function mayUse({ entities }: Caller, entity: string): boolean {
  return entities.has('*') || entities.has(entity);
}

function readKey(header: string): string {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +([^\s]+) *$/.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return value;
    case 'basic':
      return readPassword(value);
    default:
      throw unauthenticated('The Authorization header is neither Basic nor Bearer');
  }
}

function readPassword(value: string): string {
  const credentials = Buffer.from(value, 'base64').toString('utf8');
  const colon = credentials.indexOf(':');
  if (colon < 0) throw unauthenticated('The Basic credentials are not the base64 of username:password');
  return credentials.slice(colon + 1);
}

function unauthenticated(message: string): TracingError {
  return new TracingError('unauthenticated', message);
}

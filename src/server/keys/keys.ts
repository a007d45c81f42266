import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder.ts';
import { TracingError } from '../../protocol/error.ts';
import type { Privilege, StoredKey } from '../../storage/contract/keys.ts';

/** The record of a key; the key itself is not kept. */
export type KeyRecord = StoredKey;

export interface NewKey {
  readonly name: string;
  /** @default ['*'] */
  readonly entities?: readonly string[];
  /** @default [] */
  readonly privileges?: readonly Privilege[];
  /** @default the name */
  readonly userId?: string;
}

/** Id of the key that a service makes for the programs of its own machine. */
const LOCAL_KEY_ID = 'local';

const PREFIX_CHARACTERS = 10;
const KEYS_FILE = 'keys.json';
const LOCAL_KEY_FILE = 'local-key';

/** Path of the file that holds the keys of a data folder. */
export function keysFile(dataDir: string): string {
  return join(dataDir, KEYS_FILE);
}

/** A key, and what is to be kept of it. */
export interface MadeKey {
  /** The only copy. */
  readonly key: string;
  readonly record: KeyRecord;
}

/** Makes a key that nobody takes yet. */
export function makeKey(options: NewKey): MadeKey {
  const key = randomKey();
  return { key, record: toRecord(key, `key_${randomBytes(6).toString('hex')}`, options) };
}

/** Makes a key of a data folder; a running service takes it at once. */
export function createKey(dataDir: string, options: NewKey): MadeKey {
  const made = makeKey(options);
  addKey(dataDir, made.record);
  return made;
}

/** Keeps what is known of a key in a data folder. */
export function addKey(dataDir: string, record: KeyRecord): void {
  changeKeys(dataDir, (records) => [...records, record]);
}

/** Keys of a data folder, oldest first. */
export function listKeys(dataDir: string): KeyRecord[] {
  try {
    return parseKeys(readFileSync(keysFile(dataDir), 'utf8'));
  } catch (error) {
    if (isMissing(error)) return [];
    const cause = error instanceof Error ? error.message : String(error);
    throw new TracingError('invalid_configuration', `Cannot read "${keysFile(dataDir)}": ${cause}`, { cause: error });
  }
}

/** The records of the keys of a data folder, as a text for `restoreKeys`; undefined when there are none. */
export function readKeys(dataDir: string): string | undefined {
  return readIfPresent(keysFile(dataDir));
}

/** Gives keys that were read before to a data folder that has none; false when it has. */
export function restoreKeys(dataDir: string, text: string): boolean {
  const records = parseKeys(text);
  if (readKeys(dataDir) !== undefined) return false;
  changeKeys(dataDir, () => records);
  return true;
}

/** Removes the key with this id; a running service refuses it at once. False when there is none. */
export function revokeKey(dataDir: string, id: string): boolean {
  let isFound = false;
  changeKeys(dataDir, (records) => {
    isFound = records.some((record) => record.id === id);
    return records.filter((record) => record.id !== id);
  });
  return isFound;
}

/**
 * The key for programs on this machine, made by the first start and the same ever after, until it is revoked.
 * It lies beside `keys.json`, readable by the owner only.
 */
export function openLocalKey(dataDir: string): string {
  const path = join(dataDir, LOCAL_KEY_FILE);
  const existing = readIfPresent(path)?.trim();
  if (existing && listKeys(dataDir).some(({ hash }) => hash === hashKey(existing))) return existing;
  const key = randomKey();
  makeDataFolder(dataDir);
  writePrivately(path, `${key}\n`);
  const record = localKeyRecord(key);
  changeKeys(dataDir, (records) => [record, ...records.filter(({ id }) => id !== LOCAL_KEY_ID)]);
  return key;
}

/** The record of a key for everything, as the local one is. */
export function localKeyRecord(key: string): KeyRecord {
  return toRecord(key, LOCAL_KEY_ID, { name: LOCAL_KEY_ID, privileges: ['import'] });
}

/** Is a record that of the machine itself, and of no one who was given a key? */
export function isLocalKey({ id }: Pick<KeyRecord, 'id'>): boolean {
  return id === LOCAL_KEY_ID;
}

export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export function randomKey(): string {
  return `spoor_${randomBytes(24).toString('base64url')}`;
}

function toRecord(key: string, id: string, options: NewKey): KeyRecord {
  return {
    id,
    name: options.name,
    prefix: key.slice(0, PREFIX_CHARACTERS),
    hash: hashKey(key),
    userId: options.userId ?? options.name,
    entities: options.entities ?? ['*'],
    privileges: options.privileges ?? [],
    createdAt: new Date().toISOString(),
  };
}

function changeKeys(dataDir: string, change: (records: KeyRecord[]) => KeyRecord[]): void {
  makeDataFolder(dataDir);
  withLock(`${keysFile(dataDir)}.lock`, () => {
    const records = change(listKeys(dataDir));
    writePrivately(keysFile(dataDir), `${JSON.stringify({ keys: records }, undefined, 2)}\n`);
  });
}

const LOCK_ATTEMPTS = 200;
const LOCK_PAUSE_MS = 10;

/** A command and the service may change the file at once. A lock that outlives all attempts belongs to a dead process. */
function withLock(path: string, work: () => void): void {
  for (let attempt = 0; !tryCreate(path) && attempt < LOCK_ATTEMPTS; attempt++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_PAUSE_MS);
  }
  try {
    work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryCreate(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Readers see the old file or the new one, never half of it. */
function writePrivately(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** Changes whenever the file does; undefined while there is none. */
export function keysVersion(dataDir: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(keysFile(dataDir));
    return `${mtimeMs}:${size}:${ino}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Differs between folders; undefined while there is none. */
export function folderIdentity(dataDir: string): string | undefined {
  return statSync(dataDir, { bigint: true, throwIfNoEntry: false })?.ino.toString();
}

function parseKeys(text: string): KeyRecord[] {
  const file: unknown = JSON.parse(text);
  if (typeof file !== 'object' || file === null || !('keys' in file) || !Array.isArray(file.keys)) {
    throw new TypeError('it holds no list "keys"');
  }
  return file.keys.map(parseRecord);
}

function parseRecord(entry: unknown): KeyRecord {
  // Only this module writes the file; what people may have edited is checked below.
  const record = entry as Partial<KeyRecord> | null;
  const { id, name, prefix = '', hash, userId, entities, privileges = [], createdAt = '' } = record ?? {};
  if (typeof id !== 'string' || typeof hash !== 'string' || typeof name !== 'string' || !Array.isArray(entities)) {
    throw new TypeError('an entry lacks id, name, hash or entities');
  }
  return { id, name, prefix, hash, userId: userId ?? name, entities, privileges, createdAt };
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

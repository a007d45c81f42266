import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './owner.ts';
import { readOwnFile } from './own-file.ts';
import { ensurePrivateFolder } from './state-folder.ts';

/** How programs on this machine find the running service. The key may be sent to `url` only. */
export interface ServerFile {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  readonly version: string;
  /** Data folder of the service, where it has one: for whoever looks for what is wrong. */
  readonly data?: string;
  /** Address of its database, without user and password, where it has one. */
  readonly database?: string;
}

export function serverFilePath(home: string): string {
  return join(home, 'server.json');
}

/**
 * The service that runs for this state folder; `undefined` when there is no file, no sense in it, or its process is gone.
 * One that somebody else can have written, who would get all that is recorded, is as good as none.
 */
export function readServerFile(home: string): ServerFile | undefined {
  const server = parse(readOwnFile(serverFilePath(home)).bytes?.toString());
  return server && isAlive(server.pid) ? server : undefined;
}

/** Why the file of a state folder is not believed; `undefined` where it is, or there is none. */
export function serverFileRefusal(home: string): string | undefined {
  return readOwnFile(serverFilePath(home)).refusal;
}

/** Replaces the file in one step, readable by its owner only. */
export function writeServerFile(home: string, server: ServerFile): void {
  ensurePrivateFolder(home);
  const path = serverFilePath(home);
  const temporary = `${path}.${process.pid}.tmp`;
  // What is there already may be a link to elsewhere, or open to others.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}

/** Removes the file if it names process `pid`: a service that ends late must not hide its successor. */
export function removeServerFile(home: string, pid: number = process.pid): void {
  if (parse(readIfThere(serverFilePath(home)))?.pid === pid) rmSync(serverFilePath(home), { force: true });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(text: string | undefined): ServerFile | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isServerFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isServerFile(value: unknown): value is ServerFile {
  if (typeof value !== 'object' || value === null) return false;
  const { url, apiKey, pid, version, data = '', database = '' } = value as Partial<Record<keyof ServerFile, unknown>>;
  return (
    typeof url === 'string' &&
    URL.canParse(url) &&
    typeof apiKey === 'string' &&
    typeof version === 'string' &&
    typeof data === 'string' &&
    typeof database === 'string' &&
    Number.isSafeInteger(pid) &&
    (pid as number) > 0
  );
}

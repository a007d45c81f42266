import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chance } from '../host/random.ts';
import { Date } from '../host/clock.ts';
import { sizeOf } from './orphaned-segments.ts';
import { ensurePrivateFolder } from './state-folder.ts';

/** A problem that a recording program told, for those who ask when it has ended. Never a key. */
export interface KeptProblem {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly kind: string;
  /** The library that it is about, where it is about one. */
  readonly subject?: string;
  readonly message: string;
  /** How many records it concerns, 0 where that cannot be told. */
  readonly count: number;
  readonly project: string;
  /** The service the program was to deliver to, if one was known. */
  readonly url?: string;
  readonly pid: number;
}

const MAX_BYTES = 64 * 1024;
/** Bytes that are left of a full file, so that it is not written anew for each line. */
const KEPT_BYTES = MAX_BYTES / 2;
const MAX_TEXT_CHARACTERS = 1000;

export function problemFilePath(home: string): string {
  return join(home, 'problems.jsonl');
}

/**
 * Appends a line, synchronously, as the process may be about to end. Never throws: a folder that cannot be written
 * keeps no problems. Several processes may do it at once; what one of them appends while another shortens the file is lost.
 */
export function keepProblem(home: string, problem: KeptProblem): void {
  try {
    ensurePrivateFolder(home);
    const path = problemFilePath(home);
    // The break goes before the line: one that a full disk tore takes no other with it.
    const line = Buffer.from(`\n${JSON.stringify(problem, shortened)}`);
    if ((sizeOf(path) ?? 0) + line.length > MAX_BYTES) shorten(path);
    appendFileSync(path, line, { mode: 0o600 });
  } catch {
    // It has been told already; this was for later.
  }
}

/** The newest that the file holds, oldest first; torn and damaged lines are left out. */
export function readProblems(home: string): KeptProblem[] {
  try {
    return tailOf(problemFilePath(home), MAX_BYTES).split('\n').flatMap(parseLine);
  } catch {
    return [];
  }
}

function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? oneLine(value.slice(0, MAX_TEXT_CHARACTERS)) : value;
}

/** Somebody may look at the file in a terminal, which obeys control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}

/** Keeps the newest half. Throws what the system says; the file then stays as it is. */
function shorten(path: string): void {
  const random = chance().randomBytes(4).toString('hex');
  const draft = `${path}.${random}.tmp`;
  try {
    writeFileSync(draft, tailOf(path, KEPT_BYTES), { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The whole lines among the last `maxBytes`. */
function tailOf(path: string, maxBytes: number): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const length = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString('utf8', 0, length);
    return size > bytes.length ? text.replace(/^[^\n]*/, '') : text;
  } finally {
    closeSync(file);
  }
}

function parseLine(line: string): KeptProblem[] {
  try {
    const value: unknown = JSON.parse(line);
    return isKeptProblem(value) ? [value] : [];
  } catch {
    return [];
  }
}

function isKeptProblem(value: unknown): value is KeptProblem {
  if (typeof value !== 'object' || value === null) return false;
  const {
    at,
    kind,
    subject = '',
    message,
    project,
    url = '',
    count,
    pid,
  } = value as Partial<Record<keyof KeptProblem, unknown>>;
  return (
    [at, kind, subject, message, project, url].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(at as string)) &&
    [count, pid].every(Number.isSafeInteger)
  );
}

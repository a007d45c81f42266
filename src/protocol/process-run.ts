/**
 * Header by which a program says which run the calls of a body belong to: that of the process that has recorded them, whoever
 * sends them. It gives no rights.
 */
export const RUN_HEADER = 'svc-run';

/** A run, as its process tells of it. All but the id may be missing. */
export interface ProcessRun {
  readonly id: string;
  /** Microseconds since 1970: when the process began. */
  readonly startedAt?: number | undefined;
  readonly pid?: number | undefined;
  readonly host?: string | undefined;
  /** Of this package. */
  readonly version?: string | undefined;
  /** The commit of git that is checked out. */
  readonly commit?: string | undefined;
  /** Are files changed that git knows? Absent while that is not known. */
  readonly isDirty?: boolean | undefined;
}

/** Unlike any id that somebody would give a run of his own by `withContext`. */
const RUN_ID = /^p[0-9a-f]{16}$/;

/** Is a text the id of a run of a process, by its form? */
export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}

/** Is it the beginning of such an id, and hardly of anything else? */
export function mayBeginRunId(text: string): boolean {
  return /^p[0-9a-f]{4,16}$/.test(text);
}

/** More is said by none: a host of 255 characters takes 2,295. */
const MAX_CHARACTERS = 3000;
const MAX_HOST_CHARACTERS = 255;
const MAX_VERSION_CHARACTERS = 100;

/** As `id=p0f3c…;started=1764158400000000;pid=4711;host=build-7;version=0.1.0;commit=9f2c…;dirty=0`; names are percent-encoded. */
export function formatRun({ id, startedAt, pid, host, version, commit, isDirty }: ProcessRun): string {
  const parts: readonly (readonly [string, string | number | undefined])[] = [
    ['id', id],
    ['started', startedAt],
    ['pid', pid],
    ['host', host === undefined ? undefined : encodeURIComponent(host)],
    ['version', version === undefined ? undefined : encodeURIComponent(version)],
    ['commit', commit],
    ['dirty', isDirty === undefined ? undefined : Number(isDirty)],
  ];
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])).join(';');
}

/** `undefined` for what names no run; parts that make no sense are left out, and others may follow those that are known. */
export function parseRun(text: string): ProcessRun | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const parts = new Map(text.split(';').map((part) => [part.slice(0, part.indexOf('=')), valueOf(part)]));
  const id = parts.get('id');
  if (id === undefined || !isRunId(id)) return undefined;
  return {
    id,
    startedAt: countOf(parts.get('started')),
    pid: countOf(parts.get('pid')) || undefined,
    host: nameOf(parts.get('host'), MAX_HOST_CHARACTERS),
    version: nameOf(parts.get('version'), MAX_VERSION_CHARACTERS),
    commit: /^[0-9a-f]{40,64}$/.exec(parts.get('commit') ?? '')?.[0],
    isDirty: TRUTHS.get(parts.get('dirty') ?? ''),
  };
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
]);

function valueOf(part: string): string {
  return part.slice(part.indexOf('=') + 1);
}

function countOf(text: string | undefined): number | undefined {
  const count = text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return count !== undefined && Number.isSafeInteger(count) ? count : undefined;
}

function nameOf(text: string | undefined, maxCharacters: number): string | undefined {
  if (!text) return undefined;
  try {
    const name = decodeURIComponent(text);
    return name.length <= maxCharacters ? name : undefined;
  } catch {
    // Not percent-encoded: no program of ours has written it.
    return undefined;
  }
}

import { parseDateTimeOfAnyYear } from '../../protocol/values/date-time.ts';

/**
 * The kinds of archive lines, in this order for each project: calls, what feedback says on them, objects, rows of
 * tables, files, prices, views. An archive begins with `header` and ends with `end`.
 */
export type ArchiveKind = 'header' | keyof typeof COUNTED | 'end';

/** Names of their counts. */
const COUNTED = {
  call: 'calls',
  feedback: 'feedback',
  object: 'objects',
  rows: 'rows',
  file: 'files',
  price: 'prices',
  view: 'views',
} as const;

/** Lines by their kinds. */
export type ArchiveCounts = Readonly<Record<(typeof COUNTED)[keyof typeof COUNTED], number>>;

/** One line of an archive. */
export interface ArchiveLine {
  readonly kind: ArchiveKind;
  readonly project: string;
  /** Says which of its kind in its project it is; no two lines have the same. */
  readonly key: string;
  /** JSON text. */
  readonly value: string;
}

/** Counts lines as an archive tells of them at its end. */
export class ArchiveCounter {
  readonly #counts = new Map<ArchiveKind, number>();
  /** All that were counted. */
  lines = 0;

  /** How many lines of its kind there are now. */
  add(kind: ArchiveKind): number {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    this.lines += 1;
    return count;
  }

  counts(): ArchiveCounts {
    const named = Object.entries(COUNTED).map(([kind, name]) => [name, this.#counts.get(kind as ArchiveKind) ?? 0]);
    // Every name is there.
    return Object.fromEntries(named) as ArchiveCounts;
  }
}

export function formatLine({ kind, project, key, value }: ArchiveLine): string {
  return `{"kind":"${kind}","project":${JSON.stringify(project)},"key":${JSON.stringify(key)},"value":${value}}\n`;
}

const HEAD = /^\{"kind":"(\w+)","project":("(?:[^"\\]|\\.)*"),"key":("(?:[^"\\]|\\.)*"),"value":/;

/** Reads a line as `formatLine` writes it, without its end; `undefined` for any other text. */
export function parseLine(text: string): ArchiveLine | undefined {
  const [head, kind, project, key] = HEAD.exec(text) ?? [];
  if (head === undefined || project === undefined || key === undefined || !text.endsWith('}')) return undefined;
  return {
    // Lines of kinds that are not known are left out by who reads them.
    kind: kind as ArchiveKind,
    project: JSON.parse(project) as string,
    key: JSON.parse(key) as string,
    value: text.slice(head.length, -1),
  };
}

/** Where a walk over calls goes on: after the call that began then and has this id. */
export interface CallPosition {
  readonly started_at: string;
  readonly id: string;
}

export function callKey({ started_at: time, id }: CallPosition): string {
  return `${time} ${id}`;
}

export function parseCallKey(key: string): CallPosition {
  const behind = key.indexOf(' ');
  return { started_at: key.slice(0, behind), id: key.slice(behind + 1) };
}

/** Does the call of one key stand before that of another? Services order ids by their bytes. */
export function isBefore(one: string, other: string): boolean {
  if (one === other) return false;
  const [first, second] = [parseCallKey(one), parseCallKey(other)];
  const between = microsOf(first) - microsOf(second);
  return between < 0 || (between === 0 && Buffer.compare(Buffer.from(first.id), Buffer.from(second.id)) < 0);
}

function microsOf({ started_at: time }: CallPosition): number {
  return parseDateTimeOfAnyYear(time) ?? Number.NaN;
}

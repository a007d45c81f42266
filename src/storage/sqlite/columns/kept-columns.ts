import type { DatabaseSync, Row, Statement } from '../driver.ts';
import { numberOf } from '../read/text.ts';
import { makeColumns } from './make-columns.ts';
import { decodeColumns, encodeColumns, PLACE_MASK, SEGMENT_BITS, type SegmentColumns } from './segment-columns.ts';

/** Segments whose columns stay in memory: of two million calls, about 120 MB. */
const MAX_CACHED = 512;

interface Cached {
  readonly changes: number;
  readonly columns: SegmentColumns;
}

/** A segment as it is at the moment of the read. */
export interface Segment {
  readonly number: number;
  readonly changes: number;
  /** Microseconds of the first and last start; unknown where nothing is kept. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** The columns of segments, from memory, as they are kept, or read from the calls. */
export class KeptColumns {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();
  readonly #cached = new Map<number, Cached>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** All segments at this moment. */
  segments(): Segment[] {
    return this.#statement(SEGMENTS).all().map(segmentOf);
  }

  /** Undefined: it has never had a call. */
  segmentAt(number: number): Segment | undefined {
    const row = this.#statement(`${SEGMENTS} WHERE number = ?`).get(number);
    return row && segmentOf(row);
  }

  columnsOf({ number, changes }: Pick<Segment, 'number' | 'changes'>): SegmentColumns {
    const cached = this.#cached.get(number);
    if (cached?.changes === changes) return cached.columns;
    const kept = this.#statement(COLUMNS).get(number, changes)?.['columns'];
    const columns = kept instanceof Uint8Array ? decodeColumns(kept) : makeColumns(this.#database, number);
    this.#cached.delete(number);
    if (this.#cached.size < MAX_CACHED) this.#cached.set(number, { changes, columns });
    return columns;
  }

  /** Made when it is wanted: connections are opened before there is a schema. */
  #statement(text: string): Statement {
    const statement = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

const SEGMENTS =
  'SELECT s.number, s.changes, k.first, k.last FROM segment s LEFT JOIN segment_columns k USING (number, changes)';

const COLUMNS = 'SELECT columns FROM segment_columns WHERE number = ? AND changes = ?';

function segmentOf(row: Row): Segment {
  return {
    number: numberOf(row['number']) ?? 0,
    changes: numberOf(row['changes']) ?? 0,
    first: numberOf(row['first']) ?? undefined,
    last: numberOf(row['last']) ?? undefined,
  };
}

/** Notes which segments a transaction changes. */
export class TouchedSegments {
  readonly #touch: Statement;
  readonly #touched = new Set<number>();

  constructor(database: DatabaseSync) {
    this.#touch = database.prepare(
      'INSERT INTO segment(number, changes) VALUES (?, 1) ON CONFLICT DO UPDATE SET changes = changes + 1',
    );
  }

  /** A call of this number changes. */
  add(key: number): void {
    this.#touched.add(Math.floor(key / (PLACE_MASK + 1)));
  }

  /** Before the commit. */
  write(): void {
    for (const number of this.#touched) this.#touch.run(number);
    this.#touched.clear();
  }

  forget(): void {
    this.#touched.clear();
  }
}

/**
 * Keeps the columns of one segment that has changed; false when there is none. To the newest ones calls are being added:
 * they are left out.
 */
export function keepColumns(database: DatabaseSync, newest = 1): boolean {
  const row = database.prepare(STALE).get(newest);
  if (row === undefined) return false;
  const [number, changes] = [numberOf(row['number']) ?? 0, numberOf(row['changes']) ?? 0];
  const columns = makeColumns(database, number);
  const [first, last] = timesOf(columns);
  database.prepare(KEEP).run(number, changes, first, last, encodeColumns(columns));
  return true;
}

/** Has a segment changed to which nothing is being added? */
export function hasStaleColumns(database: DatabaseSync): boolean {
  return database.prepare(STALE).get(1) !== undefined;
}

const STALE = `SELECT s.number, s.changes FROM segment s LEFT JOIN segment_columns k USING (number, changes)
WHERE k.number IS NULL AND s.number + ? <= (SELECT max(pk) >> ${SEGMENT_BITS} FROM calls) ORDER BY s.number DESC LIMIT 1`;

const KEEP = 'INSERT OR REPLACE INTO segment_columns(number, changes, first, last, columns) VALUES (?, ?, ?, ?, ?)';

function timesOf({ projects, startedAt }: SegmentColumns): [number | null, number | null] {
  let [first, last] = [Infinity, -Infinity];
  for (const [place, project] of projects.entries()) {
    if (project === 0) continue;
    first = Math.min(first, startedAt[place] ?? first);
    last = Math.max(last, startedAt[place] ?? last);
  }
  return first > last ? [0, -1] : [first, last];
}

import type { DatabaseSync, Row, Statement } from '../driver.ts';
import { numberOf } from '../read/text.ts';
import { ColumnCache } from './column-cache.ts';
import { makeColumns } from './make-columns.ts';
import {
  bytesOf,
  decodeColumns,
  encodeColumns,
  PLACE_MASK,
  SEGMENT_BITS,
  type SegmentColumns,
} from './segment-columns.ts';

/** Larger columns are not kept: calls with a hundred models each may have so many. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

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
  readonly #cache: ColumnCache;

  constructor(database: DatabaseSync, cache: ColumnCache = new ColumnCache()) {
    this.#database = database;
    this.#cache = cache;
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
    const cached = this.#cache.get(number, changes);
    if (cached !== undefined) return cached;
    const kept = this.#statement(COLUMNS).get(number, changes)?.['columns'];
    const isKept = kept instanceof Uint8Array && kept.length > 0;
    const columns = isKept ? decodeColumns(kept) : makeColumns(this.#database, number);
    this.#cache.set(number, changes, columns);
    return columns;
  }

  /** Are they there without reading the calls? */
  hasColumnsOf({ number, changes, first }: Segment): boolean {
    return first !== undefined || this.#cache.get(number, changes) !== undefined;
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
  const isKept = bytesOf(columns) <= MAX_KEPT_BYTES;
  database.prepare(KEEP).run(number, changes, first, last, isKept ? encodeColumns(columns) : NOT_KEPT);
  return true;
}

/** Has a segment changed to which nothing is being added? */
export function hasStaleColumns(database: DatabaseSync): boolean {
  return database.prepare(STALE).get(1) !== undefined;
}

const STALE = `SELECT s.number, s.changes FROM segment s LEFT JOIN segment_columns k USING (number, changes)
WHERE k.number IS NULL AND s.number + ? <= (SELECT max(pk) >> ${SEGMENT_BITS} FROM calls) ORDER BY s.number DESC LIMIT 1`;

/** Of such a segment the times are known. */
const NOT_KEPT = new Uint8Array();

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

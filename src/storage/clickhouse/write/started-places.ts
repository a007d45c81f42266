import { bind, sql } from '../../sql/sql.ts';
import type { Connection, Row } from '../connection.ts';
import { minuteOf } from '../read/call-columns.ts';
import { bindTexts } from '../statement.ts';
import { goneRow } from './call-rows.ts';
import { grouped } from './grouped.ts';

/** A row as a start has made it. */
interface Started {
  readonly projectId: string;
  readonly id: string;
  readonly startedAt: number;
  readonly version: bigint;
}

interface Place extends Started {
  /** The time of this process when its group has ended. */
  readonly writtenAt: number;
}

/** As many are tens of megabytes; of those beyond it the oldest are not looked at. */
const MAX_STARTED = 500_000;
/** Places that are looked at with one statement. */
const MAX_ITEMS = 5000;
/** Milliseconds after which what came to other services at the same moment is written, where groups take no longer. */
const AGE_MS = 10_000;
/** Groups of other services take so many times as long at most as the slowest that this one has written lately. */
const SLOWER_TIMES = 2;
/** Milliseconds in which a group counts for that. */
const LATELY_MS = 60_000;
/** Milliseconds in which another service makes itself known, with some to spare; a place waits as long for its key. */
const FORGOTTEN_MS = 30_000;

interface StartedOptions {
  /** @default 500,000 */
  readonly maxStarted?: number;
  /** @default 10,000 */
  readonly ageMs?: number;
  /** How many times as long as the slowest group a start waits. @default 2 */
  readonly slowerTimes?: number;
}

/**
 * Calls that this service has started lately. Where another one has started the same call at the same moment, with another time,
 * there is a row at each of the two times, and one key. The row that has no key is taken away by the service that wrote it.
 */
export class StartedPlaces {
  readonly #maxStarted: number;
  readonly #ageMs: number;
  readonly #slowerTimes: number;
  /** The oldest first. */
  #places: Place[] = [];
  /** Groups of the last minute of which none after them took longer, the slowest first. */
  #groups: readonly { readonly endedAt: number; readonly tookMs: number }[] = [];

  constructor({ maxStarted = MAX_STARTED, ageMs = AGE_MS, slowerTimes = SLOWER_TIMES }: StartedOptions = {}) {
    this.#maxStarted = maxStarted;
    this.#ageMs = ageMs;
    this.#slowerTimes = slowerTimes;
  }

  /** Calls that a group has started, which has ended now, whether or not it went well. */
  add(started: readonly Started[], tookMs = 0): void {
    const writtenAt = performance.now();
    const slower = this.#groups.filter((group) => group.tookMs > tookMs && group.endedAt > writtenAt - LATELY_MS);
    this.#groups = [...slower, { endedAt: writtenAt, tookMs }];
    for (const one of started) this.#places.push({ ...one, writtenAt });
    this.#bound();
  }

  /**
   * Looks at each that is old enough, once, or until it has a key. An abort ends it between two statements; the rest is left for the
   * next look.
   */
  async settle(connection: Connection, signal?: AbortSignal): Promise<void> {
    const now = performance.now();
    const due = this.#places.splice(0, this.#countBefore(now - this.#dueMs(now)));
    const isWaiting = ({ writtenAt }: Place) => writtenAt > now - this.#dueMs(now) - FORGOTTEN_MS;
    const keyless: Place[] = [];
    try {
      while (due.length > 0) {
        signal?.throwIfAborted();
        const found = await takeAwayLost(connection, due.slice(0, MAX_ITEMS), signal);
        due.splice(0, MAX_ITEMS);
        keyless.push(...found.filter(isWaiting));
      }
    } finally {
      // In their order: what could not be looked at, too.
      this.#places = [...keyless, ...due, ...this.#places];
      this.#bound();
    }
  }

  #dueMs(now: number): number {
    const slowest = this.#groups.find(({ endedAt }) => endedAt > now - LATELY_MS);
    return Math.max(this.#ageMs, this.#slowerTimes * (slowest?.tookMs ?? 0));
  }

  /** In place of a look, while no other service is known: those are kept that one may have started that is not known yet. */
  forgetOld(): void {
    this.#places.splice(0, this.#countBefore(performance.now() - FORGOTTEN_MS));
  }

  #countBefore(time: number): number {
    const young = this.#places.findIndex(({ writtenAt }) => writtenAt > time);
    return young < 0 ? this.#places.length : young;
  }

  #bound(): void {
    if (this.#places.length > this.#maxStarted) this.#places.splice(0, this.#places.length - this.#maxStarted);
  }
}

/** Resolves with those that have no key: it may be on its way. */
async function takeAwayLost(
  connection: Connection,
  places: readonly Place[],
  signal: AbortSignal | undefined,
): Promise<Place[]> {
  const keyless: Place[] = [];
  for (const [projectId, started] of grouped(places, (one) => one.projectId)) {
    const minutes = await minutesOfKeys(connection, { projectId, started }, signal);
    const isLost = ({ id, startedAt }: Place) => minutes.has(id) && minutes.get(id) !== minuteOf(startedAt);
    await connection.insert('calls', started.filter(isLost).map(hidden));
    keyless.push(...started.filter(({ id }) => !minutes.has(id)));
  }
  return keyless;
}

interface OfProject {
  readonly projectId: string;
  readonly started: readonly Started[];
}

async function minutesOfKeys(
  connection: Connection,
  { projectId, started }: OfProject,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, number>> {
  const keys = await connection.all<{ id: string; started_at: number }>(
    sql`SELECT id, started_at FROM call_keys FINAL
      WHERE project_id = ${bind(projectId)} AND id IN ${bindTexts(started.map(({ id }) => id))}`,
    signal === undefined ? {} : { signal },
  );
  return new Map(keys.map((key) => [key.id, minuteOf(key.started_at)]));
}

/**
 * Above the row that the start has made, with an end or without: none of the calls that are known is at this place. Of two rows
 * with ends the one of the greater revision has the key, as a key has the number of its row, so no end is lost with the other.
 */
function hidden({ projectId, id, startedAt, version }: Started): Row {
  return goneRow(projectId, id, startedAt, version + 1n);
}

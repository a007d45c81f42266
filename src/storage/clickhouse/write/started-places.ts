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
  /** The time of this process when it was written. */
  readonly writtenAt: number;
}

/** As many are tens of megabytes; of those beyond it the oldest are not looked at. */
const MAX_STARTED = 500_000;
/** Places that are looked at with one statement. */
const MAX_ITEMS = 5000;
/** Milliseconds after which what came to other services at the same moment is written. */
const AGE_MS = 10_000;
/** Milliseconds in which another service makes itself known, with some to spare. */
const FORGOTTEN_MS = 3 * AGE_MS;

interface StartedOptions {
  /** @default 500,000 */
  readonly maxStarted?: number;
  /** @default 10,000 */
  readonly ageMs?: number;
}

/**
 * Calls that this service has started lately. Where another one has started the same call at the same moment, with another time,
 * there is a row at each of the two times, and one key. The row that has no key is taken away by the service that wrote it.
 */
export class StartedPlaces {
  readonly #maxStarted: number;
  readonly #ageMs: number;
  /** The oldest first. */
  #places: Place[] = [];

  constructor({ maxStarted = MAX_STARTED, ageMs = AGE_MS }: StartedOptions = {}) {
    this.#maxStarted = maxStarted;
    this.#ageMs = ageMs;
  }

  add(started: readonly Started[]): void {
    const writtenAt = performance.now();
    for (const one of started) this.#places.push({ ...one, writtenAt });
    this.#bound();
  }

  /** Looks at each that is old enough, once. An abort ends it between two statements; the rest is left for the next look. */
  async settle(connection: Connection, signal?: AbortSignal): Promise<void> {
    const writtenBefore = performance.now() - this.#ageMs;
    for (;;) {
      signal?.throwIfAborted();
      const part = this.#places.splice(0, Math.min(MAX_ITEMS, this.#countBefore(writtenBefore)));
      if (part.length === 0) return;
      try {
        await takeAwayLost(connection, part, signal);
      } catch (error) {
        // They are looked at again.
        this.#places = [...part, ...this.#places];
        this.#bound();
        throw error;
      }
    }
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

async function takeAwayLost(connection: Connection, started: readonly Started[], signal?: AbortSignal): Promise<void> {
  for (const [projectId, ofProject] of grouped(started, (one) => one.projectId)) {
    const lost = await withoutKey(connection, { projectId, started: ofProject }, signal);
    await connection.insert('calls', lost.map(hidden));
  }
}

interface OfProject {
  readonly projectId: string;
  readonly started: readonly Started[];
}

async function withoutKey(
  connection: Connection,
  { projectId, started }: OfProject,
  signal: AbortSignal | undefined,
): Promise<Started[]> {
  const keys = await connection.all<{ id: string; started_at: number }>(
    sql`SELECT id, started_at FROM call_keys FINAL
      WHERE project_id = ${bind(projectId)} AND id IN ${bindTexts(started.map(({ id }) => id))}`,
    signal === undefined ? {} : { signal },
  );
  const minutes = new Map(keys.map((key) => [key.id, minuteOf(key.started_at)]));
  return started.filter(({ id, startedAt }) => {
    const minute = minutes.get(id);
    return minute !== undefined && minute !== minuteOf(startedAt);
  });
}

/**
 * Above the row that the start has made, with an end or without: none of the calls that are known is at this place. Of two rows
 * with ends the one of the greater revision has the key, as a key has the number of its row, so no end is lost with the other.
 */
function hidden({ projectId, id, startedAt, version }: Started): Row {
  return goneRow(projectId, id, startedAt, version + 1n);
}

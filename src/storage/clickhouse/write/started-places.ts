import { bind, sql } from '../../sql/sql.ts';
import type { Connection, Row } from '../connection.ts';
import { minuteOf } from '../read/call-columns.ts';
import { bindTexts } from '../statement.ts';
import { goneRow } from './call-rows.ts';
import { grouped } from './grouped.ts';
import { inParts } from './in-parts.ts';

/** A row as a start has made it. */
interface Started {
  readonly projectId: string;
  readonly id: string;
  readonly startedAt: number;
  readonly version: bigint;
}

/** As many are tens of megabytes; of those beyond it the oldest are not looked at. */
const MAX_STARTED = 500_000;

/**
 * Calls that this service has started lately. Where another one has started the same call at the same moment, with another time,
 * there is a row at each of the two times, and one key. The row that has no key is taken away by the service that wrote it.
 */
export class StartedPlaces {
  #young: Started[] = [];
  #old: Started[] = [];

  add(started: readonly Started[]): void {
    for (const one of started) this.#young.push(one);
    if (this.#young.length > MAX_STARTED) this.#young.splice(0, this.#young.length - MAX_STARTED);
  }

  /** Looks at those that were there at the look before: what came to other services with them is written by now. */
  async settle(connection: Connection): Promise<void> {
    const old = this.#old;
    for (const [projectId, ofProject] of grouped(old, (one) => one.projectId)) {
      const lost = await withoutKey(connection, projectId, ofProject);
      await connection.insert('calls', lost.map(hidden));
    }
    // Where the look failed they are looked at again.
    this.#old = this.#young;
    this.#young = [];
  }
}

async function withoutKey(connection: Connection, projectId: string, started: readonly Started[]): Promise<Started[]> {
  const keys = await inParts(started, (part) => {
    return connection.all<{ id: string; started_at: number }>(
      sql`SELECT id, started_at FROM call_keys FINAL
        WHERE project_id = ${bind(projectId)} AND id IN ${bindTexts(part.map(({ id }) => id))}`,
    );
  });
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

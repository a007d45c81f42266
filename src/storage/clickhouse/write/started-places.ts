import { bind, sql } from '../../sql/sql.ts';
import type { Connection, Row } from '../connection.ts';
import { minuteOf } from '../read/call-columns.ts';
import { printCallsOfKeys } from '../read/select-calls.ts';
import { bindTexts } from '../statement.ts';
import { endHalf, endOfRow, goneRow, WHOLE_COLUMNS, type WholeRow } from './call-rows.ts';
import { grouped } from './grouped.ts';
import { inParts } from './in-parts.ts';
import { nextTime } from './version-clock.ts';
import { hasEnded } from './versions.ts';

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
 * there is a row at each of the two times, and one key. The row that has no key is taken away by the service that wrote it,
 * and an end that came with it goes to the one that has.
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
      await connection.insert('call_halves', await endsOf(connection, projectId, lost));
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

/** Ends that came with these starts, as halves: they are those of the calls that have the keys, and are joined with them. */
async function endsOf(connection: Connection, projectId: string, lost: readonly Started[]): Promise<Row[]> {
  const ended = new Map(lost.filter(({ version }) => hasEnded(version)).map((one) => [one.id, one]));
  const rows = await inParts([...ended.values()], (part) => {
    const places = part.map(({ id, startedAt }) => ({ id, started_at: startedAt }));
    return connection.all<WholeRow>(printCallsOfKeys(projectId, places, WHOLE_COLUMNS));
  });
  return rows.flatMap((row) => {
    const isAtPlace = ended.get(row.id)?.startedAt === row.started_at;
    return row.ended_at === null || !isAtPlace
      ? []
      : [endHalf(endOfRow(projectId, row.ended_at, row), null, BigInt(nextTime()))];
  });
}

/** Above the row that the start has made, with an end or without: none of the calls that are known is at this place. */
function hidden({ projectId, id, startedAt, version }: Started): Row {
  return goneRow(projectId, id, startedAt, version + 1n);
}

import { raw } from '../../sql/sql.ts';
import type { Connection, Row } from '../connection.ts';
import { halfRow } from '../write/call-rows.ts';
import { endOfHalf, HALF_COLUMNS, type HalfRow } from '../write/call-states.ts';
import type { Fact, GroupWriter } from '../write/group-writer.ts';

/** Halves that are joined together; the next ones have their turn after what waits to be written. */
const MAX_HALVES = 1000;

export type FoundHalf = HalfRow & { readonly project_id: string; readonly ver: string };

/** Halves beside calls that have started: two services wrote start and end, or row and name, at the same time. */
const LEFT_HALVES = `SELECT project_id, toString(h.ver) AS ver, ${HALF_COLUMNS} FROM call_halves AS h FINAL
WHERE (project_id, id) IN (
  SELECT project_id, id FROM call_keys WHERE (project_id, id) IN (SELECT project_id, id FROM call_halves FINAL)
) LIMIT ${MAX_HALVES}`;

/**
 * Joins halves with calls that have started, and resolves with those that there were. Harmless when it is done twice, or
 * ended anywhere: a half goes after the row has what it says.
 */
export async function joinHalves(connection: Connection, groups: GroupWriter): Promise<readonly FoundHalf[]> {
  const halves = await connection.all<FoundHalf>(raw(LEFT_HALVES), { deadlineMs: Infinity });
  if (halves.length === 0) return halves;
  await groups.write(halves.map(factOf));
  await connection.insert('call_halves', halves.map(goneHalf));
  return halves;
}

function factOf(half: FoundHalf): Fact {
  const { project_id: projectId, id, kind, display_name: name } = half;
  if (kind === 'name') return { kind, project_id: projectId, id, display_name: name ?? '' };
  return { ...endOfHalf(projectId, half), display_name: name, isLate: true };
}

/** A half that was written meanwhile is newer than this. */
function goneHalf({ project_id: projectId, id, kind, ver }: FoundHalf): Row {
  return halfRow(projectId, id, kind, { ver: String(BigInt(ver) + 1n), is_deleted: 1 });
}

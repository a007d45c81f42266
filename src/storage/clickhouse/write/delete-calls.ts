import { bind, sql, type Sql } from '../../sql/sql.ts';
import type { Connection, Row } from '../connection.ts';
import { bindTexts } from '../statement.ts';
import { goneRow } from './call-rows.ts';
import { inParts } from './in-parts.ts';
import { grouped } from './grouped.ts';
import { nextVersion } from './versions.ts';
import type { WrittenSince } from './written-since.ts';

/** A call as its key tells it. */
interface Linked {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly started_at: number;
  readonly ver: string;
  readonly is_gone: number;
}

/** Levels that are asked for one by one; what goes deeper is looked for among all calls of the project. */
const MAX_LEVELS = 12;

/** Visible calls that are named and all below them, by their ids. */
export async function lookForCalls(
  connection: Connection,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Linked>> {
  if (ids.length === 0) return new Map();
  const visible = (await readIds(connection, projectId, ids)).filter(isVisible);
  return visible.length === 0 ? new Map() : await withDescendants(connection, projectId, visible);
}

interface Reached {
  readonly projectId: string;
  readonly ids: readonly string[];
  readonly reached: Map<string, Linked>;
  /** Ids that have come since those were looked for. */
  readonly written: WrittenSince;
}

/** Hides calls that were reached, and those of them and below them that were written since, for good. Returns the ids of those that became deleted. */
export async function hideCalls(connection: Connection, reached: Reached): Promise<string[]> {
  await reachWritten(connection, reached);
  const deleted = [...reached.reached.values()].filter(isVisible);
  await hide(connection, reached.projectId, deleted);
  return deleted.map(({ id }) => id);
}

/** Adds what was written since, and all that is below it: a call that comes late may have others below it that were there. */
async function reachWritten(connection: Connection, { projectId, ids, reached, written }: Reached): Promise<void> {
  const named = new Set(ids);
  const since = await readIds(connection, projectId, [...written.ids]);
  const known = new Set(reached.keys());
  // Rows of greater numbers stand above a deletion that does not know of them.
  for (const call of since)
    if (reached.has(call.id) || (named.has(call.id) && isVisible(call))) reached.set(call.id, call);
  addBelow(reached, since);
  await addLevels(connection, projectId, { reached, from: [...reached.keys()].filter((id) => !known.has(id)) });
}

function isVisible({ is_gone: isGone }: Linked): boolean {
  return isGone === 0;
}

async function readIds(connection: Connection, projectId: string, ids: readonly string[]): Promise<Linked[]> {
  return await inParts(ids, (part) => read(connection, sql`id IN ${bindTexts(part)}`, projectId));
}

async function hide(connection: Connection, projectId: string, calls: readonly Linked[]): Promise<void> {
  const gone = calls.map((call) => ({ call, version: nextVersion(BigInt(call.ver), GONE) }));
  await connection.insert(
    'calls',
    gone.map(({ call, version }) => goneRow(projectId, call.id, call.started_at, version)),
  );
  await connection.insert(
    'call_keys',
    gone.map(({ call, version }): Row => ({ ...call, project_id: projectId, ver: String(version), is_gone: 1 })),
  );
}

const GONE = { revision: undefined, isDeleted: true };

/** Most of what is below a call is in its trace, so that is looked at first. */
async function withDescendants(
  connection: Connection,
  projectId: string,
  roots: readonly Linked[],
): Promise<Map<string, Linked>> {
  const reached = new Map(roots.map((call) => [call.id, call]));
  const traces = [...new Set(roots.map(({ trace_id: traceId }) => traceId))];
  addBelow(reached, await inParts(traces, (part) => read(connection, sql`trace_id IN ${bindTexts(part)}`, projectId)));
  await addLevels(connection, projectId, { reached, from: [...reached.keys()] });
  return reached;
}

interface Levels {
  readonly reached: Map<string, Linked>;
  /** Those of them below which nobody has looked. */
  readonly from: readonly string[];
}

/** Adds all that is below some calls, wherever it is in the project. */
async function addLevels(connection: Connection, projectId: string, { reached, from }: Levels): Promise<void> {
  let parents = from;
  for (let level = 0; parents.length > 0; level++) {
    if (level === MAX_LEVELS) return addBelow(reached, await read(connection, sql`parent_id IS NOT NULL`, projectId));
    const children = await inParts(parents, (part) => {
      return read(connection, sql`parent_id IN ${bindTexts(part)}`, projectId);
    });
    const unknown = children.filter(({ id }) => !reached.has(id));
    for (const child of unknown) reached.set(child.id, child);
    parents = unknown.map(({ id }) => id);
  }
}

/** Adds all that is below what was reached, among these calls. */
function addBelow(reached: Map<string, Linked>, calls: readonly Linked[]): void {
  const children = grouped(calls, ({ parent_id: parentId }) => parentId);
  // The map grows while it is gone through.
  for (const id of reached.keys()) {
    for (const child of children.get(id) ?? []) if (!reached.has(child.id)) reached.set(child.id, child);
  }
}

async function read(connection: Connection, condition: Sql, projectId: string): Promise<Linked[]> {
  return await connection.all<Linked>(
    sql`SELECT id, trace_id, parent_id, started_at, toString(k.ver) AS ver, is_gone FROM call_keys AS k FINAL
      WHERE project_id = ${bind(projectId)} AND ${condition}`,
    // Ended and asked for again, it would take as long again.
    { deadlineMs: Infinity },
  );
}

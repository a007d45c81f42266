import type { ModelSum, TokenSums } from '../../contract/overviews.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import { bind, raw, type Sql, sql } from '../../sql/sql.ts';
import { TOKEN_KINDS } from '../../values/overviews/call-usage.ts';
import { UsageSums } from '../../values/overviews/usage-sums.ts';
import { type Parents, UsageTally } from '../../values/overviews/usage-tally.ts';
import type { Connection } from '../connection.ts';
import { bindTexts } from '../statement.ts';
import { inParts } from '../write/in-parts.ts';
import { usagesOfText } from './outline-columns.ts';

interface Users {
  readonly connection: Connection;
  readonly projectId: string;
  /** The calls that have usage: those have a model. */
  readonly users: Sql;
  readonly options: ReadOptions;
}

/**
 * Adds up the uses of models of calls: in the database where no call with usage is above another, else here, where it depends on
 * the tree.
 */
export async function readUsage(
  connection: Connection,
  projectId: string,
  from: Sql,
  options: ReadOptions,
): Promise<ReturnType<UsageSums['sums']>> {
  const place: Users = { connection, projectId, users: sql`${from} AND c.model IS NOT NULL`, options };
  const [sums, isTree] = await Promise.all([readFlat(place), needTree(place)]);
  return isTree ? (await tallied(place)).sums() : sums;
}

type FlatRow = Omit<ModelSum, 'tokens'> & TokenSums;

/** The usage of calls, each for itself. */
async function readFlat({ connection, users, options }: Users): Promise<ReturnType<UsageSums['sums']>> {
  const tokens = TOKEN_KINDS.map((kind) => `sum(u.${kind}) AS ${kind}`).join(', ');
  const rows = await connection.all<FlatRow>(
    sql`SELECT u.model AS model, u.provider AS provider, u.host AS host, count() AS calls,
      min(started_at) AS firstStartedAt, max(started_at) AS lastStartedAt, ${raw(tokens)}
      FROM (SELECT arrayJoin(c.uses) AS u, c.started_at AS started_at FROM ${users}) GROUP BY model, provider, host`,
    options,
  );
  const sums = new UsageSums();
  for (const { model, provider, host, calls, firstStartedAt, lastStartedAt, ...kinds } of rows) {
    sums.addSum({ model, provider, host, calls, firstStartedAt, lastStartedAt, tokens: kinds });
  }
  return sums.sums();
}

interface Above {
  readonly parent_id: string;
}

/**
 * May a call with usage be above another one, or have a text that JSON functions read in another way than we do? Equal hashes of
 * other ids, and calls that are deleted, only cost the longer way.
 */
async function needTree({ connection, projectId, users, options }: Users): Promise<boolean> {
  const parents = sql`SELECT assumeNotNull(c.parent_id) FROM ${users} AND c.parent_id IS NOT NULL`;
  const isAny = async (condition: Sql) => {
    return (await connection.all(sql`SELECT 1 FROM ${users} AND ${condition} LIMIT 1`, options)).length > 0;
  };
  const above = async (children: Sql) => {
    const rows = await connection.all<Above>(
      sql`SELECT DISTINCT parent_id FROM call_keys
        WHERE project_id = ${bind(projectId)} AND parent_id IS NOT NULL AND id IN ${children}`,
      options,
    );
    return rows.map(({ parent_id: parentId }) => parentId);
  };
  const hashes = sql`SELECT cityHash64(assumeNotNull(c.parent_id)) FROM ${users} AND c.parent_id IS NOT NULL`;
  const [isOddOrDirect, grandparents] = await Promise.all([
    isAny(sql`(c.is_odd = 1 OR cityHash64(c.id) IN (${hashes}))`),
    above(sql`(${parents})`),
  ]);
  if (isOddOrDirect) return true;
  const passed = new Set<string>();
  for (let ids = grandparents; ids.length > 0;) {
    for (const id of ids) passed.add(id);
    const found = await inParts(ids, async (part) => ((await isAny(sql`c.id IN ${bindTexts(part)}`)) ? [true] : []));
    if (found.length > 0) return true;
    const next = await inParts(ids, (part) => above(bindTexts(part)));
    ids = [...new Set(next)].filter((id) => !passed.has(id));
  }
  return false;
}

interface UserRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly started_at: number;
  readonly usages: string;
}

async function tallied({ connection, projectId, users, options }: Users): Promise<UsageTally> {
  const tally = new UsageTally();
  const found = sql`SELECT c.id AS id, c.parent_id AS parent_id, c.started_at AS started_at, c.usages AS usages FROM ${users}`;
  for await (const rows of connection.rows<UserRow>(found, options)) {
    for (const { id, parent_id: parentId, started_at: startedAt, usages } of rows) {
      tally.add({ id, parentId, startedAt, usages: usagesOfText(usages) });
    }
  }
  const questions = tally.ask();
  for (let asked = questions.next(); asked.done !== true;) {
    asked = questions.next(await parentsOf(connection, projectId, asked.value, options));
  }
  return tally;
}

async function parentsOf(
  connection: Connection,
  projectId: string,
  ids: readonly string[],
  options: ReadOptions,
): Promise<Parents> {
  const rows = await inParts(ids, (part) => {
    return connection.all<{ id: string; parent_id: string | null }>(
      sql`SELECT id, parent_id FROM call_keys FINAL
        WHERE project_id = ${bind(projectId)} AND is_gone = 0 AND id IN ${bindTexts(part)}`,
      options,
    );
  });
  return new Map(rows.map(({ id, parent_id: parentId }) => [id, parentId]));
}

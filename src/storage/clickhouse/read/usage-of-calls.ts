import type { TokenSums } from '../../contract/overviews.ts';
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
  /** All of their rows, also those that newer ones have replaced. */
  readonly rows: Sql;
  readonly options: ReadOptions;
}

type Asked = Omit<Users, 'users' | 'rows'>;

/**
 * The uses of models of calls where they depend on the tree, as a call with usage may be above another: those are added up here.
 * Undefined where each call counts for itself, which the database adds up.
 */
export async function readUsageOfTree(
  asked: Asked,
  from: { readonly calls: Sql; readonly rows: Sql },
): Promise<ReturnType<UsageSums['sums']> | undefined> {
  return (await readUsageOfTrees(asked, from, "''"))?.('');
}

/** The same for groups of them, by a text that each call has: for a group calls of other groups have no usage. */
export async function readUsageOfTrees(
  asked: Asked,
  from: { readonly calls: Sql; readonly rows: Sql },
  group: string,
): Promise<((group: string) => ReturnType<UsageSums['sums']>) | undefined> {
  const place: Users = {
    ...asked,
    users: sql`${from.calls} AND c.model IS NOT NULL`,
    rows: sql`${from.rows} AND c.model IS NOT NULL`,
  };
  if (!(await needTree(place))) return undefined;
  const tallies = await tallied(place, group);
  return (name) => (tallies.get(name) ?? new UsageTally()).sums();
}

/** A sum for each set of models that calls have used together, at the same places of all lists. */
export interface UseSums {
  readonly models: readonly (readonly string[])[];
  readonly providers: readonly (readonly (string | null)[])[];
  readonly hosts: readonly (readonly (string | null)[])[];
  readonly counts: readonly number[];
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
  readonly tokens: readonly (readonly (readonly number[])[])[];
}

/** Columns of the sums of calls that have used the same models, each call for itself. */
export const USES = `c.uses.model AS used_models, c.uses.provider AS used_providers, c.uses.host AS used_hosts, ${TOKEN_KINDS.map(
  (kind) => `sumForEach(c.uses.${kind}) AS ${kind}`,
).join(', ')}`;

export const USES_KEY = 'used_models, used_providers, used_hosts';

/** `UseSums` of the rows that have those columns. */
export const USE_SUMS = `groupArray(used_models) AS models, groupArray(used_providers) AS providers, groupArray(used_hosts) AS hosts,
groupArray(calls) AS counts, groupArray(first) AS firsts, groupArray(last) AS lasts,
groupArray([${TOKEN_KINDS.join(', ')}]) AS tokens`;

/** Each use of a call counts by itself. */
export function usageOfSums({ models, ...lists }: UseSums): ReturnType<UsageSums['sums']> {
  const sums = new UsageSums();
  for (const [index, together] of models.entries()) {
    for (const [place, model] of together.entries()) {
      const tokens = TOKEN_KINDS.map((kind, of) => [kind, lists.tokens[index]?.[of]?.[place] ?? 0]);
      sums.addSum({
        model,
        provider: lists.providers[index]?.[place] ?? null,
        host: lists.hosts[index]?.[place] ?? null,
        calls: lists.counts[index] ?? 0,
        firstStartedAt: lists.firsts[index] ?? 0,
        lastStartedAt: lists.lasts[index] ?? 0,
        tokens: Object.fromEntries(tokens) as TokenSums,
      });
    }
  }
  return sums.sums();
}

interface Above {
  readonly parent_id: string;
}

/**
 * May a call with usage be above another one, or have a text that JSON functions read in another way than we do? Equal hashes of
 * other ids, calls that are deleted, and rows that newer ones have replaced, only cost the longer way: nothing is merged for this.
 */
async function needTree({ connection, projectId, rows: users, options }: Users): Promise<boolean> {
  const parents = sql`SELECT assumeNotNull(c.parent_id) FROM ${users} AND c.parent_id IS NOT NULL`;
  const isAny = async (condition: Sql) => {
    return (await connection.all(sql`SELECT 1 FROM ${users} AND ${condition} LIMIT 1`, options)).length > 0;
  };
  const above = async (children: Sql) => {
    const rows = await connection.all<Above>(
      // Ids first, of which few are wanted: the database would look at all parents before.
      sql`SELECT DISTINCT parent_id FROM call_keys
        PREWHERE project_id = ${bind(projectId)} AND id IN ${children} WHERE parent_id IS NOT NULL`,
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
  readonly named: string;
}

async function tallied(
  { connection, projectId, users, options }: Users,
  group: string,
): Promise<ReadonlyMap<string, UsageTally>> {
  const tallies = new Map<string, UsageTally>();
  const found = sql`SELECT ${raw(group)} AS named, c.id AS id, c.parent_id AS parent_id, c.started_at AS started_at, c.usages AS usages FROM ${users}`;
  for await (const rows of connection.rows<UserRow>(found, options)) {
    for (const { named, id, parent_id: parentId, started_at: startedAt, usages } of rows) {
      const tally = tallies.get(named) ?? new UsageTally();
      tallies.set(named, tally);
      tally.add({ id, parentId, startedAt, usages: usagesOfText(usages) });
    }
  }
  for (const tally of tallies.values()) {
    const questions = tally.ask();
    for (let asked = questions.next(); asked.done !== true;) {
      asked = questions.next(await parentsOf(connection, projectId, asked.value, options));
    }
  }
  return tallies;
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

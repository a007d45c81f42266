import type { ThreadPlan } from '../../contract/plan.ts';
import type { Dialect } from '../../sql/dialect.ts';
import { raw, type Sql, sql } from '../../sql/sql.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { StoredThread, ThreadReader } from '../../contract/threads.ts';
import type { Reads } from '../threads/reads.ts';

const CHUNK_ROWS = 200;

/** Threads, as a request to a reading thread, which goes through their turns by the index of threads. */
export class SqliteThreads implements ThreadReader {
  readonly #reads: Reads;
  readonly #dialect: Dialect;

  constructor(reads: Reads, dialect: Dialect) {
    this.#reads = reads;
    this.#dialect = dialect;
  }

  async *query(plan: ThreadPlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredThread[]> {
    const request = { op: 'queryThreads', turns: printTurns(plan, this.#dialect), plan } as const;
    const page = await this.#reads.send(request, options);
    for (let index = 0; index < page.length; index += CHUNK_ROWS) yield page.slice(index, index + CHUNK_ROWS);
  }
}

/** The turns of the threads that a plan names, in no order. */
export function printTurns({ projectId, threadIds }: ThreadPlan, dialect: Dialect): Sql {
  const project = sql`(SELECT pk FROM project WHERE name = ${dialect.bindText(projectId)})`;
  const named = threadIds === undefined ? sql`` : sql` AND ${dialect.isOneOf(raw('c.thread_id'), threadIds)}`;
  return sql`SELECT CAST(c.thread_id AS BLOB) AS thread_id, c.id, c.started_at, c.ended_at FROM calls c
WHERE spoor_go_on(c.pk) AND c.project = ${project} AND c.thread_id <> '' AND c.turn_id = c.id
  AND c.started_at IS NOT NULL${named}`;
}

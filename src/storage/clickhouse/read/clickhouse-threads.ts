import type { ThreadPlan } from '../../contract/plan.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { StoredThread, ThreadReader } from '../../contract/threads.ts';
import { bind, sql } from '../../sql/sql.ts';
import { chunksOf } from '../../values/pages.ts';
import { ThreadTally } from '../../values/thread-tally.ts';
import type { Connection } from '../connection.ts';
import { bindTexts } from '../statement.ts';

interface TurnRow {
  readonly id: string;
  readonly thread_id: string;
  readonly started_at: number;
  readonly ended_at: number | null;
}

/** Threads, added up from the narrow columns of their turns. */
export class ClickhouseThreads implements ThreadReader {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async *query(plan: ThreadPlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredThread[]> {
    const tally = new ThreadTally();
    for await (const rows of this.#connection.rows<TurnRow>(printTurns(plan), options)) {
      for (const { id, thread_id: threadId, started_at: startedAt, ended_at: endedAt } of rows) {
        tally.add(threadId, { id, startedAt, endedAt });
      }
    }
    for (const chunk of chunksOf(tally.page(plan))) {
      options.signal?.throwIfAborted();
      yield chunk;
    }
  }
}

function printTurns({ projectId, threadIds }: ThreadPlan) {
  const isWanted = threadIds === undefined ? sql`c.thread_id != ''` : sql`c.thread_id IN ${bindTexts(threadIds)}`;
  return sql`SELECT c.id AS id, c.thread_id AS thread_id, c.started_at AS started_at, c.ended_at AS ended_at
    FROM calls AS c FINAL WHERE c.project_id = ${bind(projectId)} AND c.turn_id = c.id AND ${isWanted}`;
}

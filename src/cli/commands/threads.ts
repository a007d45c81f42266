import PQueue from 'p-queue';
import type { Thread } from '../../protocol/thread.ts';
import type { CallsStatsResponse } from '../../protocol/page/calls-stats.ts';
import type { Reader } from '../../reader/reader.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { nothingFound } from '../nothing-found.ts';
import { durationColumn, timeColumn } from '../output/columns.ts';
import { printJson } from '../output/json.ts';
import { formatMoney } from '../output/money.ts';
import { formatCount } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { tableLines } from '../output/table.ts';

export interface ThreadsOptions extends ServiceOptions {
  readonly limit: number;
  /** Unix seconds. */
  readonly since?: number;
  readonly json?: true;
}

/** The service adds up so many threads side by side. */
const AT_ONCE = 8;

/** A thread with what its calls add up to. */
type ThreadRow = Thread & Pick<CallsStatsResponse, 'errors' | 'tokens' | 'cost' | 'unpriced_models'>;

/** Lists conversations, the one that went on last first. */
export async function printThreads(options: ThreadsOptions): Promise<void> {
  const connection = connect(options);
  const { reader } = connection;
  const { limit, since } = options;
  const queue = new PQueue({ concurrency: AT_ONCE });
  const threads: Thread[] = [];
  const after = since === undefined ? {} : { filter: { after_datetime: new Date(since * 1000).toISOString() } };
  const sort_by = [{ field: 'last_updated', direction: 'desc' as const }];
  for await (const thread of reader.threads.query({ ...after, sort_by, limit })) threads.push(thread);
  const rows = await queue.addAll(threads.map((thread) => async () => await rowOf(reader, thread)));
  if (options.json) return printJson(rows);
  if (rows.length === 0) remark(await nothingFound('threads', connection));
  else process.stdout.write(`${linesOf(rows).join('\n')}\n`);
}

async function rowOf(reader: Reader, thread: Thread): Promise<ThreadRow> {
  const filter = { thread_ids: [thread.thread_id] };
  const { errors, tokens, cost, unpriced_models } = await reader.page.stats({ filter });
  return { ...thread, errors, tokens, cost, unpriced_models };
}

function linesOf(rows: readonly ThreadRow[]): string[] {
  return tableLines(rows, [
    timeColumn(({ last_updated: time }) => time, 'last'),
    { head: 'thread', cell: ({ thread_id: id }) => toLine(id, 60), least: 16 },
    { head: 'turns', cell: ({ turn_count: count }) => formatCount(count), isRight: true },
    { head: 'failed', cell: ({ errors }) => formatCount(errors), isRight: true, rank: 1 },
    durationColumn(({ p50_turn_duration_ms: ms }) => ms, 'p50 turn'),
    { head: 'tokens', cell: ({ tokens }) => formatCount(tokens.total), isRight: true, rank: 2 },
    { head: 'cost', cell: costText, isRight: true },
  ]);
}

function costText({ cost, unpriced_models: unpriced }: ThreadRow): string {
  if (cost === null) return unpriced.length === 0 ? '' : 'no price';
  return `${unpriced.length === 0 ? '' : '≥ '}${formatMoney(cost, 'USD')}`;
}

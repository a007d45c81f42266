import { type QueryKey, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Thread } from '../../protocol/thread.ts';
import type { CallRow, RowsAnswer } from './answers.ts';
import { ask, send } from './ask.ts';
import { readLines } from './read-lines.ts';

/** Threads that are listed; the newest come first. */
export const LISTED_THREADS = 500;

/** Turns of a thread that are shown; the first come first. */
export const LISTED_TURNS = 5000;

/** Rows that are asked for at a time. */
const PAGE_ROWS = 1000;

/** A thread with what it begins and ends with. */
export interface ListedThread extends Thread {
  readonly first: CallRow | undefined;
  readonly last: CallRow | undefined;
}

export interface ThreadsRange {
  /** As the address spells it. */
  readonly name: string;
  /** Where it begins at the time of a question: one that ends now goes on. */
  readonly after: () => number | undefined;
}

/** The key that the conversations of a range are kept under. */
export function threadsKey(projectId: string, { name }: Pick<ThreadsRange, 'name'>): QueryKey {
  return ['threads', projectId, name];
}

/** Conversations of a project that have a turn in a range, that with the newest turn first. */
export function useThreads(
  projectId: string,
  range: ThreadsRange,
  /** Told how many have come, while they come. */
  onCount: (count: number) => void,
): UseQueryResult<readonly ListedThread[]> {
  return useQuery({
    queryKey: threadsKey(projectId, range),
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId, limit: LISTED_THREADS };
      const answer = await send('/x/api/threads/stream_query', body, { signal });
      const threads = await readLines<Thread>(answer, onCount);
      const after = range.after();
      // The service filters by when a thread began, and one that goes on is of now.
      const wanted = threads.filter(({ last_updated: last }) => after === undefined || Date.parse(last) >= after);
      return await withTurns(projectId, wanted, signal);
    },
  });
}

async function withTurns(
  projectId: string,
  threads: readonly Thread[],
  signal: AbortSignal,
): Promise<readonly ListedThread[]> {
  const ends = threads.flatMap(({ first_turn_id: first, last_turn_id: last }) => [first ?? [], last ?? []].flat());
  const ids = [...new Set(ends)];
  const { rows } = await ask<{ rows: readonly CallRow[] }>('/x/calls/row', { project_id: projectId, ids }, { signal });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return threads.map((thread) => ({
    ...thread,
    first: byId.get(thread.first_turn_id ?? ''),
    last: byId.get(thread.last_turn_id ?? ''),
  }));
}

/** The key that the turns of a thread are kept under. */
export function turnsKey(projectId: string, threadId: string): QueryKey {
  return ['turns', projectId, threadId];
}

/** Calls in the order in which they began. */
export interface FirstRows {
  readonly rows: readonly CallRow[];
  /** There are more behind them. */
  readonly isCut: boolean;
}

/** The turns of a thread in their order, as rows of a list. */
export function useTurns(projectId: string, threadId: string): UseQueryResult<FirstRows> {
  return useQuery({
    queryKey: turnsKey(projectId, threadId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      const query = { $expr: { $eq: [{ $getField: 'turn_id' }, { $getField: 'id' }] } };
      return rowsOf(projectId, { filter: { thread_ids: [threadId] }, query }, signal);
    },
  });
}

/** The calls within a turn, itself left out. */
export function useCallsOfTurn(projectId: string, turnId: string | undefined): UseQueryResult<FirstRows> {
  return useQuery({
    queryKey: ['calls of turn', projectId, turnId],
    refetchOnMount: 'always',
    enabled: turnId !== undefined,
    queryFn: async ({ signal }) => {
      const { rows, isCut } = await rowsOf(projectId, { filter: { turn_ids: [turnId] } }, signal);
      return { rows: rows.filter(({ id }) => id !== turnId), isCut };
    },
  });
}

const BY_TIME = [
  { field: 'started_at', direction: 'asc' },
  { field: 'id', direction: 'asc' },
];

async function rowsOf(projectId: string, wanted: object, signal: AbortSignal): Promise<FirstRows> {
  const rows: CallRow[] = [];
  let cursor: string | null = null;
  do {
    const body = { project_id: projectId, sort_by: BY_TIME, limit: PAGE_ROWS, ...wanted, ...(cursor && { cursor }) };
    const page: RowsAnswer = await ask<RowsAnswer>('/x/calls/rows', body, { signal });
    rows.push(...page.rows);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < LISTED_TURNS);
  return { rows, isCut: cursor !== null };
}

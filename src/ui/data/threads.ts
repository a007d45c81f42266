import { type QueryKey, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Thread } from '../../protocol/thread.ts';
import type { CallRow, RowsAnswer } from './answers.ts';
import { ask, send } from './ask.ts';

/** Threads that are listed; the newest come first. */
export const LISTED_THREADS = 500;

/** Turns of a thread that are shown. */
export const LISTED_TURNS = 1000;

/** A thread with what it begins with. */
export interface ListedThread extends Thread {
  readonly first: CallRow | undefined;
}

/** Conversations of a project that have a turn after an instant, that with the newest turn first. */
export function useThreads(
  projectId: string,
  after: number | undefined,
  /** Told how many have come, while they come. */
  onCount: (count: number) => void,
): UseQueryResult<readonly ListedThread[]> {
  return useQuery({
    queryKey: ['threads', projectId, after],
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId, limit: LISTED_THREADS };
      const answer = await send('/x/api/threads/stream_query', body, { signal });
      const threads = await readLines<Thread>(answer, onCount);
      // The service filters by when a thread began, and one that goes on is of now.
      const wanted = threads.filter(({ last_updated: last }) => after === undefined || Date.parse(last) >= after);
      return await withFirstTurns(projectId, wanted, signal);
    },
  });
}

async function withFirstTurns(
  projectId: string,
  threads: readonly Thread[],
  signal: AbortSignal,
): Promise<readonly ListedThread[]> {
  const ids = threads.flatMap(({ first_turn_id: id }) => id ?? []);
  const { rows } = await ask<{ rows: readonly CallRow[] }>('/x/calls/row', { project_id: projectId, ids }, { signal });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return threads.map((thread) => ({ ...thread, first: byId.get(thread.first_turn_id ?? '') }));
}

/** What the turns of a thread are kept under. */
export function turnsKey(projectId: string, threadId: string): QueryKey {
  return ['turns', projectId, threadId];
}

/** The turns of a thread in their order, as rows of a list. */
export function useTurns(projectId: string, threadId: string): UseQueryResult<readonly CallRow[]> {
  return useQuery({
    queryKey: turnsKey(projectId, threadId),
    queryFn: async ({ signal }) => {
      const query = { $expr: { $eq: [{ $getField: 'turn_id' }, { $getField: 'id' }] } };
      return rowsOf(projectId, { filter: { thread_ids: [threadId] }, query, limit: LISTED_TURNS }, signal);
    },
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'running') === true ? RUNNING_MS : false,
  });
}

const RUNNING_MS = 2000;

/** What happened within a turn, itself left out. */
export function useCallsOfTurn(projectId: string, turnId: string | undefined): UseQueryResult<readonly CallRow[]> {
  return useQuery({
    queryKey: ['calls of turn', projectId, turnId],
    enabled: turnId !== undefined,
    queryFn: async ({ signal }) => {
      const rows = await rowsOf(projectId, { filter: { turn_ids: [turnId] }, limit: LISTED_TURNS }, signal);
      return rows.filter(({ id }) => id !== turnId);
    },
  });
}

const BY_TIME = [
  { field: 'started_at', direction: 'asc' },
  { field: 'id', direction: 'asc' },
];

async function rowsOf(projectId: string, wanted: object, signal: AbortSignal): Promise<readonly CallRow[]> {
  const body = { project_id: projectId, sort_by: BY_TIME, ...wanted };
  return (await ask<RowsAnswer>('/x/calls/rows', body, { signal })).rows;
}

async function readLines<Line>(answer: Response, onCount: (count: number) => void): Promise<Line[]> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: Line[] = [];
  let rest = '';
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    const [last = '', ...whole] = (rest + part.value).split('\n').reverse();
    rest = last;
    lines.push(...whole.reverse().flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line))));
    onCount(lines.length);
  }
  return rest === '' ? lines : [...lines, JSON.parse(rest) as Line];
}

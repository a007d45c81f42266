import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { CallRow, CallsSelection, RowsAnswer } from './answers.ts';
import { useIsPaused } from './as-of.ts';
import { ask } from './ask.ts';
import { inParts } from './in-parts.ts';
import { type PagePlace, placeBefore, placeBehind, requestAt, type RowsPage, TOP } from './page-place.ts';

/** Rows that are asked for at a time. */
export const PAGE_ROWS = 200;

export interface Sorting {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** The key that the rows of a list are kept under. */
export function rowsKey(selection: CallsSelection | undefined, sorting: Sorting | undefined): QueryKey {
  return ['rows', selection, sorting];
}

/** Calls of a list, page after page. Scrolling on while a page is under way asks for it once. */
export function useCallRows(
  selection: CallsSelection | undefined,
  sorting: Sorting | undefined,
): UseInfiniteQueryResult<InfiniteData<RowsPage, PagePlace>> {
  return useInfiniteQuery({
    queryKey: rowsKey(selection, sorting),
    // What was read before is shown at once, and read again.
    refetchOnMount: 'always',
    enabled: selection !== undefined,
    initialPageParam: TOP,
    queryFn: ({ pageParam, signal }) => pageAt(selection, sorting, pageParam, signal),
    getNextPageParam: (page, _pages, place) => placeBehind(page, place, sorting === undefined),
    getPreviousPageParam: (page, _pages, place) => placeBefore(page, place, sorting === undefined),
  });
}

/** Reads the top of a list that is to be shown. Returns what keeps it for then. */
export async function readTop(
  client: QueryClient,
  selection: CallsSelection | undefined,
  sorting: Sorting | undefined,
  signal: AbortSignal,
): Promise<() => void> {
  const page = await pageAt(selection, sorting, TOP, signal);
  const pages: InfiniteData<RowsPage, PagePlace> = { pages: [page], pageParams: [TOP] };
  return () => void client.setQueryData(rowsKey(selection, sorting), pages);
}

/** The page at a place of a list. */
export async function pageAt(
  selection: CallsSelection | undefined,
  sorting: Sorting | undefined,
  place: PagePlace,
  signal?: AbortSignal,
): Promise<RowsPage> {
  const sorted = sorting && { sort_by: [sorting] };
  return await rowsPage({ limit: PAGE_ROWS, ...selection, ...sorted, ...requestAt(place) }, signal);
}

async function rowsPage(request: object, signal?: AbortSignal): Promise<RowsPage> {
  const askedAt = performance.now();
  return { ...(await ask<RowsAnswer>('/x/calls/rows', request, { signal })), askedAt };
}

/** The state of a question that may not be answered yet. */
interface Found<T> {
  readonly state: { readonly data: T | null | undefined; readonly dataUpdateCount: number };
}

const LOOKED_FOR_MS = 5000;
const LOOKED_FOR_TIMES = 12;

/**
 * A call that is not there may be on its way: it is looked for again for a minute. From then on the stream tells when it
 * starts; most ids that do not exist never will. One that was there and is no more has been deleted.
 */
export function lookAgain({ state: { data, dataUpdateCount: times } }: Found<unknown>): number | false {
  return data === null && times < LOOKED_FOR_TIMES ? LOOKED_FOR_MS : false;
}

function useUntilItIsThere() {
  const isPaused = useIsPaused();
  return {
    staleTime: ({ state: { data } }: Found<CallRow>) => (data === null ? 0 : Infinity),
    refetchInterval: isPaused ? false : lookAgain,
  } as const;
}

/** One row, for a call that is not in the list. */
export function useCallRow(projectId: string, id: string | undefined): UseQueryResult<CallRow | null> {
  return useQuery({
    queryKey: ['row', projectId, id],
    ...useUntilItIsThere(),
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const { rows } = await ask<{ rows: readonly CallRow[] }>(
        '/x/calls/row',
        { project_id: projectId, ids: [id] },
        { signal },
      );
      return rows[0] ?? null;
    },
  });
}

/** The newest call of a trace; null: the project has no such trace. */
export function useTraceRow(projectId: string, traceId: string | undefined): UseQueryResult<CallRow | null> {
  return useQuery({
    queryKey: ['row of trace', projectId, traceId],
    ...useUntilItIsThere(),
    enabled: traceId !== undefined,
    queryFn: async ({ signal }) => {
      const filter = { trace_ids: [traceId] };
      const { rows } = await rowsPage({ project_id: projectId, filter, limit: 1 }, signal);
      return rows[0] ?? null;
    },
  });
}

/** The newest rows of a selection, for what arrived while the list was open. */
export async function newestPage(selection: CallsSelection, limit = PAGE_ROWS): Promise<RowsPage> {
  return await rowsPage({ ...selection, limit });
}

/** Those of some calls that a selection means, each in its newest form. */
export async function rowsAmong(selection: CallsSelection, ids: readonly string[]): Promise<readonly CallRow[]> {
  const pages = await Promise.all(
    inParts(ids, PAGE_ROWS).map((part) =>
      rowsPage({ ...selection, filter: { ...selection.filter, call_ids: part }, limit: PAGE_ROWS }),
    ),
  );
  return pages.flatMap(({ rows }) => rows);
}

/** Takes calls of a project out of all lists that are kept. */
export function dropRows(client: QueryClient, projectId: string, ids: readonly string[]): void {
  const gone = new Set(ids);
  const isOfProject = ({ queryKey: [, selection] }: { readonly queryKey: QueryKey }): boolean =>
    (selection as CallsSelection | undefined)?.project_id === projectId;
  client.setQueriesData<InfiniteData<RowsPage, PagePlace>>(
    { queryKey: ['rows'], predicate: isOfProject },
    (data) => data && { ...data, pages: data.pages.map((page) => pageWithout(page, gone)) },
  );
}

function pageWithout(page: RowsPage, gone: ReadonlySet<string>): RowsPage {
  return page.rows.some(({ id }) => gone.has(id))
    ? { ...page, rows: page.rows.filter(({ id }) => !gone.has(id)) }
    : page;
}

/** Calls that the service deletes at a time, unless it is told otherwise: `calls_per_delete`. */
export const DELETED_IDS = 1000;

/** Bytes that browsers send of a page that is gone, for all its requests under way together. */
const MAX_LEFT_BYTES = 60_000;

/** Parts that are small enough for that. */
const LEFT_IDS = 500;

export interface Deletion {
  /** The page goes, so all are sent at once, to be kept up without it as far as browsers do that. */
  readonly isLeaving?: boolean;
  /** No part is begun any more once it is aborted. */
  readonly signal?: AbortSignal;
  /** These are deleted: a later part may fail. */
  readonly onDeleted?: (ids: readonly string[]) => void;
}

/** Deletes calls, in as many requests as the service wants. */
export async function deleteCalls(
  projectId: string,
  ids: readonly string[],
  { isLeaving = false, signal, onDeleted }: Deletion = {},
): Promise<void> {
  const remove = async (part: readonly string[], keepalive = false): Promise<void> => {
    await ask('/x/api/calls/delete', { project_id: projectId, call_ids: part }, { keepalive });
    onDeleted?.(part);
  };
  if (!isLeaving) {
    for (const part of inParts(ids, DELETED_IDS)) {
      if (signal?.aborted === true) return;
      await remove(part);
    }
    return;
  }
  let bytes = 0;
  const sent = inParts(ids, LEFT_IDS).map((part) => {
    bytes += JSON.stringify([projectId, part]).length + REQUEST_BYTES;
    return remove(part, bytes <= MAX_LEFT_BYTES);
  });
  await Promise.all(sent);
}

/** Of such a request beside what it names. */
const REQUEST_BYTES = 40;

import { TracingError } from '../protocol/error.ts';
import type { CallRow } from '../protocol/page/call-row.ts';
import { readLines } from './json-lines.ts';
import type { Requester, RequestOptions } from './request.ts';

/** A change in a project; `cursor` is the place after it, from which a later read goes on. */
export type CallChange =
  | { readonly kind: 'call'; readonly row: CallRow; readonly cursor: string }
  /** Calls that are there no more. */
  | { readonly kind: 'gone'; readonly ids: readonly string[]; readonly cursor: string }
  /** Calls that got feedback, or lost it. */
  | { readonly kind: 'feedback'; readonly ids: readonly string[]; readonly cursor: string }
  /** Changes that went by untold; null: nobody knows how many. */
  | { readonly kind: 'missed'; readonly count: number | null; readonly cursor: string };

export interface ChangesOptions extends RequestOptions {
  /** Goes on after this place. @default from now on */
  readonly cursor?: string | undefined;
  /** Called when the service has begun to tell. */
  readonly onOpen?: (() => void) | undefined;
}

/** How often a connection is opened anew that has told nothing. */
const MAX_ATTEMPTS = 5;

/** A connection that breaks is opened again, and goes on where the last one ended. */
export async function* readChanges(
  requester: Requester,
  projectId: string,
  { cursor, signal, onOpen }: ChangesOptions,
): AsyncGenerator<CallChange, void> {
  let place = cursor;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const answer = await requester.send({
      method: 'GET',
      path: `/x/calls/changes?project_id=${encodeURIComponent(projectId)}`,
      accept: 'text/event-stream',
      ...(place !== undefined && { headers: { 'last-event-id': place } }),
      ...(signal && { signal }),
    });
    try {
      for await (const { event, id, data } of readEvents(answer, signal)) {
        if (event === 'hello') onOpen?.();
        place = id ?? cursorIn(data) ?? place;
        const change = changeOf(event, data, place ?? '');
        if (change === undefined) continue;
        attempts = 0;
        yield change;
      }
    } catch (error) {
      if (!(error instanceof TracingError) || error.code !== 'broken_stream') throw error;
    }
    signal?.throwIfAborted();
  }
  throw new TracingError('broken_stream', 'Cannot read the changes any longer: the connection breaks again and again');
}

interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

async function* readEvents(answer: Response, signal: AbortSignal | undefined): AsyncGenerator<StreamEvent, void> {
  let fields: Record<string, string> = {};
  for await (const line of readLines(answer, signal)) {
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      fields[name] = value;
      continue;
    }
    const { event, id, data } = fields;
    if (event !== undefined && data !== undefined) yield { event, id, data: JSON.parse(data) as unknown };
    fields = {};
  }
}

/** The service made what these events say. */
function changeOf(event: string, data: unknown, cursor: string): CallChange | undefined {
  if (event === 'call') return { kind: 'call', row: data as CallRow, cursor };
  if (event === 'gone' || event === 'feedback') return { kind: event, ids: (data as { ids: string[] }).ids, cursor };
  return event === 'missed' ? { kind: 'missed', count: (data as { count: number | null }).count, cursor } : undefined;
}

function cursorIn(data: unknown): string | undefined {
  const isNamed = typeof data === 'object' && data !== null && 'cursor' in data;
  return isNamed && typeof data.cursor === 'string' ? data.cursor : undefined;
}

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { CallRow } from '../../protocol/page/call-row.ts';
import type { ChangeLog } from './change-log.ts';

/** Calls that are read and sent at once. */
const MAX_CALLS = 200;

/** Changes that come within so long are told together. */
const GATHER_MS = 100;

/** A connection on which nothing happens is closed by what is between; a comment keeps it. */
export const HEARTBEAT_MS = 15_000;

/** How soon a browser asks again when the connection breaks. */
const RETRY_MS = 1000;

export interface ChangeStream {
  readonly log: ChangeLog;
  /** Id of the last event that the reader got, where it was here before. */
  readonly lastEventId: string | undefined;
  readonly readRows: (ids: readonly string[]) => Promise<readonly CallRow[]>;
  /** Throws when the reader may read no more. */
  readonly checkCaller: () => void;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** @default HEARTBEAT_MS */
  readonly heartbeatMs?: number;
}

/**
 * Tells of changes until the signal, as server-sent events. Nothing is read for a reader that has not taken what was sent
 * before: it keeps its place, and is told how much it missed when that is kept no more.
 */
export async function streamChanges(reply: FastifyReply, stream: ChangeStream): Promise<void> {
  const response = openEvents(reply);
  const { log, lastEventId, signal } = stream;
  const resumed = lastEventId === undefined ? log.end : log.positionOf(lastEventId);
  let position = resumed ?? log.end;
  try {
    await write(response, `retry: ${RETRY_MS}\n${eventText('hello', { cursor: log.cursorAt(position) })}`, signal);
    // The place is none of this log: the service was started again, or the project was quiet for long.
    if (resumed === undefined)
      await write(response, eventText('missed', { count: null }, log.cursorAt(position)), signal);
    while (!signal.aborted) {
      stream.checkCaller();
      if (log.end === position) await nextChange(stream, response);
      else position = await tell(stream, response, position);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    response.end();
  }
}

/** Sends what happened after a place, and returns the place after it. */
async function tell({ log, readRows, signal }: ChangeStream, response: ServerResponse, from: number): Promise<number> {
  const { ids, feedback, position, missed } = log.since(from, MAX_CALLS);
  const found = new Map((ids.length > 0 ? await readRows(ids) : []).map((row) => [row.id, row]));
  const cursor = log.cursorAt(position);
  // In the order in which they changed.
  const rows = ids.flatMap((id) => found.get(id) ?? []);
  // Deleted, or an end whose start has not come.
  const gone = ids.filter((id) => !found.has(id));
  const events = [
    ...(missed > 0 ? [eventText('missed', { count: missed }, cursor)] : []),
    ...rows.map((row) => eventText('call', row, cursor)),
    ...(gone.length > 0 ? [eventText('gone', { ids: gone }, cursor)] : []),
    ...(feedback.length > 0 ? [eventText('feedback', { ids: feedback }, cursor)] : []),
  ];
  await write(response, events.join(''), signal);
  return position;
}

/** Resolves a moment after a change, or when it is time for a sign of life. */
async function nextChange(stream: ChangeStream, response: ServerResponse): Promise<void> {
  const { log, signal, heartbeatMs = HEARTBEAT_MS } = stream;
  const isChanged = await new Promise<boolean>((resolve) => {
    const finish = (changed: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      unwatch();
      resolve(changed);
    };
    const onAbort = () => finish(false);
    const timer = setTimeout(() => finish(false), heartbeatMs);
    const unwatch = log.watch(() => finish(true));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) finish(false);
  });
  if (signal.aborted) return;
  if (isChanged) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  else await write(response, ': still here\n\n', signal);
}

function openEvents(reply: FastifyReply): ServerResponse {
  reply.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  reply.hijack();
  const response = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200);
  response.flushHeaders();
  return response;
}

function eventText(event: string, data: object, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (!response.write(text)) await once(response, 'drain', { signal });
}

import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { planCalls } from '../../../src/server/query/plan/plan-calls.ts';
import type { Channel, SendOptions } from '../../../src/storage/sqlite/threads/channel.ts';
import { readsOf } from '../../../src/storage/sqlite/threads/reads.ts';
import type { AnswerTo, Request } from '../../../src/storage/sqlite/threads/requests.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { SqliteCalls } from '../../../src/storage/sqlite/read/sqlite-calls.ts';
import { WriteClient } from '../../../src/storage/sqlite/threads/write-client.ts';

/** Calls behind a channel that always has another chunk, and what it is sent. */
function endlessCalls() {
  const sent: [string, AbortSignal | undefined][] = [];
  const channel: Channel = {
    ready: Promise.resolve({ wasClean: true, check: 'none' }),
    pendingCount: 0,
    groupCount: 0,
    isBroken: false,
    send: async <Asked extends Request>({ op }: Asked, { signal }: SendOptions = {}) => {
      sent.push([op, signal]);
      // Whatever is asked.
      return { rows: [{}], stream: 1 } as unknown as AnswerTo<Asked>;
    },
    close: async () => undefined,
  };
  const calls = new SqliteCalls(new WriteClient(() => channel), readsOf(channel), sqliteDialect);
  const reader = new AbortController();
  const chunks = calls.query(planCalls({ project_id: 'acme/demo' }, DEFAULT_LIMITS), { signal: reader.signal });
  const states = () => sent.map(([op, signal]) => `${op}${signal?.aborted === true ? ' for nobody' : ''}`);
  return { chunks, reader, states };
}

test('the thread reads one chunk ahead, which ends when its reader leaves the stream', async () => {
  const { chunks, states } = endlessCalls();
  await chunks.next();
  expect(states()).toEqual(['open', 'next']);
  await chunks.next();
  await chunks.return(undefined);
  // What is read ahead for nobody would hold up other readers.
  expect(states()).toEqual(['open', 'next for nobody', 'next for nobody', 'cancel']);
});

test('what is read ahead ends when the reader goes away', async () => {
  const { chunks, reader, states } = endlessCalls();
  await chunks.next();
  reader.abort();
  expect(states()).toEqual(['open for nobody', 'next for nobody']);
  await expect(chunks.next()).rejects.toThrow('aborted');
  expect(states().at(-1)).toBe('cancel');
});

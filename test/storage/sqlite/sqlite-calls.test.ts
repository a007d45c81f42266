import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { planCalls } from '../../../src/server/query/plan-calls.ts';
import type { Channel, SendOptions } from '../../../src/storage/sqlite/channel.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/dialect.ts';
import { SqliteCalls } from '../../../src/storage/sqlite/sqlite-calls.ts';
import { WriteSide } from '../../../src/storage/sqlite/write-side.ts';

test('the thread reads one chunk ahead, for as long as its reader is there', async () => {
  const sent: [string, AbortSignal | undefined][] = [];
  const channel: Channel = {
    ready: Promise.resolve({ wasClean: true, check: 'none' }),
    pendingCount: 0,
    groupCount: 0,
    isBroken: false,
    send: async ({ op }, { signal }: SendOptions = {}) => {
      sent.push([op, signal]);
      return { rows: [{}], stream: 1 };
    },
    close: async () => undefined,
  };
  const reads = {
    send: async (...request: Parameters<Channel['send']>) => channel.send(...request),
    open: async (...request: Parameters<Channel['send']>) => ({ result: await channel.send(...request), channel }),
    close: async () => undefined,
  };
  const calls = new SqliteCalls(new WriteSide(() => channel), reads, sqliteDialect);
  const { signal } = new AbortController();
  const chunks = calls.query(planCalls({ project_id: 'acme/demo' }, DEFAULT_LIMITS), { signal });
  await chunks.next();
  expect(sent).toEqual([
    ['open', signal],
    ['next', signal],
  ]);
  await chunks.next();
  await chunks.return(undefined);
  expect(sent.slice(2)).toEqual([
    ['next', signal],
    ['cancel', undefined],
  ]);
});

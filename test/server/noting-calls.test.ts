import { expect, onTestFinished, test } from 'vitest';
import { NotingCalls } from '../../src/server/metrics/noting-calls.ts';
import { withRoles } from '../../src/server/with-roles.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import type { CallFact } from '../../src/storage/contract/calls.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';

const OPENERS: readonly (readonly [string, () => Promise<Storage>])[] = [
  ['memory', async () => openMemoryStorage()],
  ['sqlite', async () => await openSqliteStorage({ path: ':memory:' })],
];
const end: CallFact = {
  kind: 'end',
  project_id: 'a/b',
  id: 'c',
  ended_at: 1,
  exception: null,
  output: null,
  output_refs: [],
  summary: '{}',
  revision: 0,
  display_name: null,
  svc_run_step_end: null,
};

test.each(OPENERS)(
  'what is written to %s is told when it was, and all of the storage works as before',
  async (_name, open) => {
    const storage = await open();
    onTestFinished(async () => await storage.close());
    const told: CallFact[] = [];
    const calls = new NotingCalls(storage.calls, { onWritten: (facts) => told.push(...facts) });
    const noting = withRoles(storage, { calls });
    expect(Object.keys(noting).toSorted()).toEqual(
      Object.keys(storage)
        .filter((key) => key !== 'recovery')
        .toSorted(),
    );
    await noting.calls.write([end]);
    expect(told).toEqual([end]);
    expect(await noting.calls.get('a/b', 'c')).toBeUndefined();
    expect(await noting.calls.count({ projectId: 'a/b', filter: {} })).toBe(0);
    expect(await noting.calls.delete('a/b', ['c'], 1)).toBe(0);
    await noting.calls.rename('a/b', 'c', 'name');
    await noting.checkHealth();
    expect(noting.writeQueue?.()).toEqual(storage.writeQueue?.());
    await noting.close();
    await expect(storage.checkHealth()).rejects.toThrow('closed');
  },
);

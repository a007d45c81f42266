import { expect, test } from 'vitest';
import type { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';

/** The engine of these tests has one user, who may do everything: what a server says to others is told here. */
function refusedWith(code: string): Removals {
  const refusal = Object.assign(new Error('ACCESS_DENIED'), { code });
  const all = () => Promise.reject(new Error('ClickHouse has refused a statement: ACCESS_DENIED', { cause: refusal }));
  return new Removals({ all } as unknown as Connection);
}

test('a user who may not see what is left to remove is told which right is missing', async () => {
  await expect(refusedWith('497').ended()).rejects.toThrow('GRANT SELECT ON system.mutations');
});

test('another refusal is told as it is', async () => {
  await expect(refusedWith('60').ended()).rejects.toThrow('ClickHouse has refused a statement: ACCESS_DENIED');
});

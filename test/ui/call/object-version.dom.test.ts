import { afterEach, expect, test, vi } from 'vitest';
import { serviceSource } from '../../../src/ui/call/service-source.ts';

afterEach(() => void vi.unstubAllGlobals());

test('a version has the number by which it is asked for, as commands and Compare have it', async () => {
  const obj = { val: 'source', version_index: 0, created_at: '2026-01-31T14:00:00Z' };
  vi.stubGlobal('fetch', async () => Response.json({ obj }));
  const ref = `svc:///local/app/op/plan:${'a'.repeat(43)}`;
  const object = await serviceSource('local/app').readObject(ref, AbortSignal.timeout(5000));
  expect(object).toEqual({ value: 'source', version: 0, createdAt: obj.created_at });
});

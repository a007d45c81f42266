import { afterEach, expect, test, vi } from 'vitest';
import { deleteCalls } from '../../../src/ui/data/call-rows.ts';

afterEach(() => void vi.unstubAllGlobals());

interface Sent {
  readonly ids: number;
  readonly bytes: number;
  readonly keepalive: boolean;
}

/** The browser's side: what is sent of a page, in its order. */
function listen(): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body, keepalive = false }: RequestInit) => {
    const text = typeof body === 'string' ? body : '';
    sent.push({ ids: (JSON.parse(text) as { call_ids: string[] }).call_ids.length, bytes: text.length, keepalive });
    return new Response('{}', { headers: { 'content-type': 'application/json' } });
  });
  return sent;
}

const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `01890000-0000-7000-8000-${String(index).padStart(12, '0')}`);

test('many calls are deleted in parts that the service takes', async () => {
  const sent = listen();
  await deleteCalls('local/app', ids(2500));
  expect(sent.map((each) => [each.ids, each.keepalive])).toEqual([
    [1000, false],
    [1000, false],
    [500, false],
  ]);
});

test('a page that is left has no more kept up than browsers do, and sends all', async () => {
  const sent = listen();
  const done = deleteCalls('local/app', ids(2500), { isLeaving: true });
  expect(sent.reduce((sum, each) => sum + each.ids, 0)).toBe(2500);
  const kept = sent.filter(({ keepalive }) => keepalive);
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(64 * 1024);
  await done;
});

test('parts that were deleted are told though a later one is refused', async () => {
  let asked = 0;
  vi.stubGlobal('fetch', async () =>
    ++asked < 3
      ? Response.json({})
      : Response.json({ reason: 'not your project', error_code: 'forbidden' }, { status: 403 }),
  );
  const told: number[] = [];
  const deletion = deleteCalls('local/app', ids(2500), { onDeleted: ({ length }) => told.push(length) });
  await expect(deletion).rejects.toThrow('not your project');
  expect(told).toEqual([1000, 1000]);
});

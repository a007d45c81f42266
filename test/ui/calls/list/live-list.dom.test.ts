import { afterEach, expect, test, vi } from 'vitest';
import { baseOf } from '../../../../src/ui/calls/list/list-base.ts';
import { LiveList } from '../../../../src/ui/calls/list/live-list.ts';
import { rowsOf } from '../../../../src/ui/calls/list/live-rows.ts';
import type { CallRow } from '../../../../src/ui/data/answers.ts';
import { createQueryClient } from '../../../../src/ui/data/query-client.ts';
import { placeBehind, type RowsPage, TOP } from '../../../../src/ui/data/page-place.ts';

afterEach(() => void vi.unstubAllGlobals());

function call(id: string): CallRow {
  return { id, parent_id: null, started_at: '2026-11-26T00:00:00Z', ended_at: null, state: 'running' } as CallRow;
}

function page(...ids: readonly string[]): RowsPage {
  return { rows: ids.map(call), next_cursor: `behind ${ids.at(-1)}`, askedAt: 0 };
}

test('calls of pages that have left a list by latency are not new to it', () => {
  const [selection, key] = [{ project_id: 'local/app' }, ['rows']];
  const list = new LiveList({ client: createQueryClient(() => undefined), selection, key, isByTime: false });
  const [first, second] = [page('slowest', 'slower'), page('slow', 'fast')];
  const place = placeBehind(first, TOP, false) ?? TOP;
  list.read(baseOf([first], false, [TOP]), true);
  list.take({ rows: [call('slower')], gone: [], hasMissed: false });
  list.read(baseOf([second], false, [place]), true);
  list.take({ rows: [call('slowest'), call('fast'), call('begun now')], gone: [], hasMissed: false });
  expect(list.told().rows.waiting.map(({ row }) => row.id)).toEqual(['begun now']);
});

test('a call of the list whose feedback is given here is read again, and others are not asked for', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    asked.push(JSON.parse(body as string));
    return Response.json({ rows: [{ ...call('a'), feedback: 1 }], next_cursor: null });
  });
  const [selection, key] = [{ project_id: 'local/app', roots_only: true }, ['rows']];
  const list = new LiveList({ client: createQueryClient(() => undefined), selection, key, isByTime: true });
  const base = baseOf([page('a', 'b')], true, [TOP]);
  list.read(base, true);
  await list.readTouched(['a', 'elsewhere']);
  expect(asked).toMatchObject([{ project_id: 'local/app', filter: { call_ids: ['a'] } }]);
  expect(rowsOf(list.told().rows, base).map(({ id, feedback }) => [id, feedback])).toEqual([
    ['a', 1],
    ['b', undefined],
  ]);
  await list.readTouched(['elsewhere']);
  expect(asked).toHaveLength(1);
});

test('of many such calls no more are asked for at a time than fit in a few pages', async () => {
  let [open, most, named] = [0, 0, 0];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const { filter } = JSON.parse(body as string) as { readonly filter: { readonly call_ids: readonly string[] } };
    named += filter.call_ids.length;
    most = Math.max(most, ++open);
    await Promise.resolve();
    open -= 1;
    return Response.json({ rows: filter.call_ids.map(call), next_cursor: null });
  });
  const ids = Array.from({ length: 5500 }, (_, index) => `call-${index}`);
  const [selection, key] = [{ project_id: 'local/app' }, ['rows']];
  const list = new LiveList({ client: createQueryClient(() => undefined), selection, key, isByTime: true });
  list.read(baseOf([page(...ids)], true, [TOP]), true);
  await list.readTouched(ids);
  expect(named).toBe(5500);
  expect(most).toBeLessThanOrEqual(5);
});

test('who asks for more waiting calls than are kept is told when they cannot be read', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ reason: 'too busy', error_code: 'overloaded' }, { status: 400 }));
  const [selection, key] = [{ project_id: 'local/app' }, ['rows']];
  const list = new LiveList({ client: createQueryClient(() => undefined), selection, key, isByTime: true });
  list.read(baseOf([page('a')], true, [TOP]), true);
  // What was missed cannot be read either: the gap stays.
  await list.catchUp();
  await expect(list.show()).rejects.toThrow('too busy');
});

test('a call that runs is asked for, and a program that is gone ends it for the list', async () => {
  let state = 'running';
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    asked.push((JSON.parse(body as string) as { readonly filter: unknown }).filter);
    return Response.json({ rows: [{ ...call('a'), state }], next_cursor: null });
  });
  const [selection, key] = [{ project_id: 'local/app' }, ['rows']];
  const list = new LiveList({ client: createQueryClient(() => undefined), selection, key, isByTime: true });
  const ended = { ...call('b'), state: 'success' } as CallRow;
  const base = baseOf([{ ...page('a'), rows: [call('a'), ended] }], true, [TOP]);
  list.read(base, true);
  expect(await list.readRunning()).toBe(false);
  state = 'never_ended';
  expect(await list.readRunning()).toBe(true);
  expect(asked).toEqual([{ call_ids: ['a'] }, { call_ids: ['a'] }]);
  expect(rowsOf(list.told().rows, base).map((row) => row.state)).toEqual(['never_ended', 'success']);
  // Nothing runs any more.
  expect(await list.readRunning()).toBe(false);
  expect(asked).toHaveLength(2);
});

test('who comes back to a list finds no calls in it that were deleted meanwhile', async () => {
  const answer = (ids: readonly string[]) => Response.json({ rows: ids.map(call), next_cursor: null });
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const { filter } = JSON.parse(body as string) as { readonly filter?: { readonly call_ids?: readonly string[] } };
    return answer((filter?.call_ids ?? ['a', 'c']).filter((id) => id !== 'b'));
  });
  const ended = (id: string): CallRow => ({ ...call(id), ended_at: '2026-11-26T00:00:01Z', state: 'success' });
  const [selection, key] = [{ project_id: 'local/app' }, ['rows']];
  const list = new LiveList({ client: createQueryClient(() => undefined), selection, key, isByTime: true });
  const base = baseOf([{ ...page('a'), rows: ['a', 'b', 'c'].map(ended) }], true, [TOP]);
  list.read(base, true);
  await list.catchUp();
  expect(rowsOf(list.told().rows, base).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  await list.catchUp(true);
  expect(rowsOf(list.told().rows, base).map(({ id }) => id)).toEqual(['a', 'c']);
});

test('of many calls that run, and of many to catch up with, one question is asked at a time', async () => {
  let [open, most] = [0, 0];
  const asked: number[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const { filter } = JSON.parse(body as string) as { readonly filter?: { readonly call_ids: readonly string[] } };
    const ids = filter?.call_ids ?? [];
    if (filter !== undefined) {
      asked.push(ids.length);
      most = Math.max(most, ++open);
      await Promise.resolve();
      open -= 1;
    }
    return Response.json({ rows: ids.map(call), next_cursor: null });
  });
  const [selection, key] = [{ project_id: 'local/app' }, ['rows']];
  const list = new LiveList({ client: createQueryClient(() => undefined), selection, key, isByTime: true });
  const ids = Array.from({ length: 450 }, (_, index) => `call-${index}`);
  list.read(baseOf([page(...ids)], true, [TOP]), true);
  for (let turn = 0; turn < 4; turn++) await list.readRunning();
  // All of them are asked about, in turn.
  expect(asked).toEqual([200, 200, 50, 200]);
  await list.catchUp(true);
  expect(asked.slice(4)).toEqual([200, 200, 50]);
  expect(most).toBe(1);
});

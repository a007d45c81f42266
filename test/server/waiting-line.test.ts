import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { WaitingLine } from '../../src/server/http/waiting-line.ts';

/** Work that goes on until it is told to end. */
function held(): { work: () => Promise<string>; end: () => void } {
  const ending = new EventEmitter();
  return {
    work: async () => {
      await once(ending, 'end');
      return 'held';
    },
    end: () => void ending.emit('end'),
  };
}

const LONG = { maxWaiting: 100, waitMs: 60_000 };

test.each([1, 2, 10, 100])('%i that wait are done in their order, one at a time', async (count) => {
  const line = new WaitingLine(LONG);
  const done: number[] = [];
  let atWork = 0;
  const all = Array.from({ length: count }, async (_, index) =>
    line.run(async () => {
      expect(++atWork).toBe(1);
      await Promise.resolve();
      atWork -= 1;
      done.push(index);
      if (index % 3 === 0) throw new Error('no');
    }),
  );
  await Promise.allSettled(all);
  expect(done).toEqual(Array.from({ length: count }, (_, index) => index));
});

test('work whose client has gone before its turn is never begun', async () => {
  const line = new WaitingLine(LONG);
  const first = held();
  const running = line.run(first.work);
  const leaving = new AbortController();
  const gone = line.run(() => Promise.reject(new Error('begun')), leaving.signal);
  const next = line.run(() => Promise.resolve('next'));
  leaving.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  first.end();
  expect([await running, await next]).toEqual(['held', 'next']);
  await expect(line.run(() => Promise.resolve(''), leaving.signal)).rejects.toThrow('gone');
});

test('too many are asked to come again, and so is who waited for too long', async () => {
  const line = new WaitingLine({ maxWaiting: 2, waitMs: 20 });
  const first = held();
  const running = line.run(first.work);
  const late = [1, 2].map(() => line.run(() => Promise.resolve('late')));
  const refused = { code: 'rate_limited', extra: { retryAfterSeconds: 5 } };
  await expect(line.run(() => Promise.resolve('more'))).rejects.toMatchObject(refused);
  for (const each of late) await expect(each).rejects.toMatchObject(refused);
  first.end();
  expect(await running).toBe('held');
  expect(await line.run(() => Promise.resolve('free'))).toBe('free');
});

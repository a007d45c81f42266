import { describe, expect, test } from 'vitest';
import { InvocationEnds, type Outbox } from '../../src/client/invocation-ends.ts';
import type { ServerlessHost } from '../../src/client/serverless.ts';

/** What each flush has settled, in records; the last one holds for all that follow. */
type Settled = readonly number[];

/** An outbox of ten records in front of a service of which the test says what it does. */
function makeOutbox({ settles = [10], isReachable = true }: { settles?: Settled; isReachable?: boolean } = {}) {
  const seen = { flushes: [] as (number | undefined)[], spools: 0, refusals: [] as unknown[] };
  const outbox: Outbox = {
    recorded: 10,
    isReachable,
    flush: async ({ timeoutMs }) => {
      const sent = settles[Math.min(seen.flushes.length, settles.length - 1)] ?? 0;
      seen.flushes.push(timeoutMs);
      return { sent, spooled: 0, dropped: 0 };
    },
    spool: () => {
      seen.spools += 1;
    },
    reportRefusal: (cause) => void seen.refusals.push(cause),
  };
  return { outbox, seen };
}

const FREEZING: ServerlessHost = { isFreezing: true, waitUntil: () => undefined };
const WAITING: ServerlessHost = { isFreezing: false, waitUntil: () => undefined };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** One invocation: a call ends, and its promise waits for what it is to wait for. Answers whether it was to wait. */
async function invoke(ends: InvocationEnds): Promise<boolean> {
  ends.ended();
  const delay = ends.delay();
  await delay;
  await turn();
  return delay !== undefined;
}

test('all calls that end in one turn are one flush', async () => {
  const { outbox, seen } = makeOutbox();
  const ends = new InvocationEnds(WAITING, outbox);
  for (let count = 0; count < 3; count++) ends.ended();
  await Promise.resolve().then(() => ends.ended());
  expect(seen.flushes).toHaveLength(0);
  await turn();
  expect(seen.flushes).toHaveLength(1);
  await invoke(ends);
  expect(seen.flushes).toHaveLength(2);
});

describe('where the process is frozen with its answer', () => {
  test('the answer waits for the flush, 2 seconds at most', async () => {
    const { outbox, seen } = makeOutbox();
    expect(await invoke(new InvocationEnds(FREEZING, outbox))).toBe(true);
    expect(seen).toMatchObject({ flushes: [2000], spools: 0 });
  });

  test('it does not wait without a service; what there is goes to disk before it', async () => {
    const { outbox, seen } = makeOutbox({ isReachable: false });
    const ends = new InvocationEnds(FREEZING, outbox);
    ends.ended();
    expect(ends.delay()).toBeUndefined();
    expect(seen).toMatchObject({ spools: 1, flushes: [] });
    await turn();
    // Finds out when there is one.
    expect(seen.flushes).toHaveLength(1);
  });

  test('having waited in vain it does not wait again until everything has gone through', async () => {
    const { outbox, seen } = makeOutbox({ settles: [7, 8, 9, 10] });
    const ends = new InvocationEnds(FREEZING, outbox);
    const waited = [];
    for (let count = 0; count < 5; count++) waited.push(await invoke(ends));
    expect(waited).toEqual([true, false, false, false, true]);
    expect(seen.spools).toBe(3);
  });

  test('records that are on disk or lost have not been waited for in vain', async () => {
    const { outbox } = makeOutbox();
    const ends = new InvocationEnds(FREEZING, {
      ...outbox,
      flush: async () => ({ sent: 4, spooled: 5, dropped: 1 }),
    });
    expect([await invoke(ends), await invoke(ends)]).toEqual([true, true]);
  });
});

describe('a platform that waits', () => {
  test('is handed the flush, and the answer does not wait', async () => {
    const { outbox, seen } = makeOutbox();
    const works: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void works.push(work);
    const ends = new InvocationEnds({ isFreezing: true, waitUntil: () => waitUntil }, outbox);
    ends.ended();
    ends.ended();
    expect([works.length, ends.delay(), seen.flushes]).toEqual([1, undefined, []]);
    await Promise.all(works);
    // The time of a flush by hand.
    expect(seen.flushes).toEqual([undefined]);
    await invoke(ends);
    expect(works).toHaveLength(2);
  });

  test('and refuses is reported, and the answer waits where the process is frozen', async () => {
    const { outbox, seen } = makeOutbox();
    const refusal = new Error('no request');
    const waitUntil = () => {
      throw refusal;
    };
    expect(await invoke(new InvocationEnds({ isFreezing: true, waitUntil: () => waitUntil }, outbox))).toBe(true);
    expect(await invoke(new InvocationEnds({ isFreezing: false, waitUntil }, outbox))).toBe(false);
    expect(seen.refusals).toEqual([refusal, refusal]);
  });

  test('only in a request is handed the flush of a call outside of one by the next that ends in that turn', async () => {
    const { outbox } = makeOutbox();
    const works: unknown[] = [];
    let isInRequest = false;
    const waitUntil = (work: unknown) => void works.push(work);
    const ends = new InvocationEnds(
      { isFreezing: false, waitUntil: () => (isInRequest ? waitUntil : undefined) },
      outbox,
    );
    ends.ended();
    isInRequest = true;
    ends.ended();
    expect(works).toHaveLength(1);
  });
});

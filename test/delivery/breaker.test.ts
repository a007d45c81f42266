import { expect, test } from 'vitest';
import { Breaker } from '../../src/delivery/transport/breaker.ts';

function breakerAt(): { breaker: Breaker; clock: { now: number } } {
  const clock = { now: 1000 };
  return { breaker: new Breaker(() => clock.now), clock };
}

function failOnce(breaker: Breaker, clock: { now: number }, askedMs?: number): void {
  const startedAt = clock.now;
  clock.now += 10;
  breaker.fail(startedAt, () => 60_000, askedMs);
  clock.now += 10;
}

test('five failures in a row open it, a success in between starts over', () => {
  const { breaker, clock } = breakerAt();
  for (let i = 0; i < 4; i++) failOnce(breaker, clock);
  breaker.succeed();
  for (let i = 0; i < 4; i++) failOnce(breaker, clock);
  expect(breaker.isOpen).toBe(false);
  failOnce(breaker, clock);
  expect(breaker.isOpen).toBe(true);
});

test('requests that fail together count once', () => {
  const { breaker, clock } = breakerAt();
  for (let round = 0; round < 4; round++) {
    const startedAt = clock.now;
    clock.now += 10;
    for (let request = 0; request < 4; request++) breaker.fail(startedAt, () => 0);
    clock.now += 10;
  }
  expect(breaker.failures).toBe(4);
  expect(breaker.isOpen).toBe(false);
});

test('an open one asks for a probe after 30 seconds', () => {
  const { breaker, clock } = breakerAt();
  breaker.open();
  expect(breaker.isProbeDue).toBe(false);
  clock.now += 30_000;
  expect(breaker.isProbeDue).toBe(true);
});

test('a service that asks for more than 30 seconds opens it for that long', () => {
  const { breaker, clock } = breakerAt();
  failOnce(breaker, clock, 120_000);
  expect(breaker.isOpen).toBe(true);
  clock.now += 60_000;
  expect(breaker.isProbeDue).toBe(false);
  clock.now += 60_000;
  expect(breaker.isProbeDue).toBe(true);
});

test('a pause ends when it opens, succeeds or is woken', async () => {
  for (const end of ['open', 'succeed', 'wake'] as const) {
    const { breaker, clock } = breakerAt();
    failOnce(breaker, clock);
    const pause = breaker.pause();
    breaker[end]();
    await expect(pause).resolves.toBeUndefined();
  }
});

test('waking does not shorten a wait that the service asked for', async () => {
  const { breaker, clock } = breakerAt();
  failOnce(breaker, clock, 20_000);
  let isOver = false;
  const pause = breaker.pause().then(() => (isOver = true));
  breaker.wake();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  breaker.succeed();
  await pause;
});

test('without a failure there is no pause', async () => {
  const { breaker } = breakerAt();
  await expect(breaker.pause()).resolves.toBeUndefined();
});

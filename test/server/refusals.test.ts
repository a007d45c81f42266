import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TracingError } from '../../src/protocol/error.ts';
import { RateLimiter } from '../../src/server/keys/rate-limiter.ts';
import {
  LINES_IN_ALL,
  LINES_PER_ADDRESS,
  MAX_ADDRESSES,
  Refusals,
  REFUSALS_AT_ONCE,
} from '../../src/server/keys/refusals.ts';

let lines: Record<string, unknown>[] = [];
let now = 0;

function openRefusals(): Refusals {
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return new Refusals(pino({ base: null }, stream), () => now);
}

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  now = 0;
});
afterEach(() => void vi.useRealTimers());

const wrongKey = new TracingError('unauthenticated', 'The API key is unknown');

function codesOf(refusals: Refusals, address: string, count: number): string[] {
  return Array.from({ length: count }, () => refusals.refuse(address, wrongKey).code);
}

test('an address is told why it is refused, then only when it may come again', () => {
  const refusals = openRefusals();
  const codes = codesOf(refusals, '10.0.0.1', REFUSALS_AT_ONCE + 5);
  expect(codes.indexOf('rate_limited')).toBe(REFUSALS_AT_ONCE);
  expect(codes.slice(REFUSALS_AT_ONCE)).toEqual(Array.from({ length: 5 }, () => 'rate_limited'));
  expect(refusals.refuse('10.0.0.1', wrongKey).extra).toEqual({ retryAfterSeconds: 1 });
  expect(codesOf(refusals, '10.0.0.2', 1)).toEqual(['unauthenticated']);
  now += 1000;
  expect(codesOf(refusals, '10.0.0.1', 11).filter((code) => code === 'unauthenticated')).toHaveLength(10);
});

test('all addresses of a network of IPv6 are one', () => {
  const refusals = openRefusals();
  for (let index = 0; index < REFUSALS_AT_ONCE; index++) refusals.refuse(`2001:db8::${index.toString(16)}`, wrongKey);
  expect(codesOf(refusals, '2001:db8::ffff', 1)).toEqual(['rate_limited']);
  expect(codesOf(refusals, '2001:db8:0:1::1', 1)).toEqual(['unauthenticated']);
});

test('lines are bounded for each address and for all, and once a minute the rest is told by its number', () => {
  const refusals = openRefusals();
  const log = (address: string) => refusals.log('warn', address, { address }, 'request refused');
  for (let index = 0; index < 1000; index++) log('10.0.0.1');
  expect(lines).toHaveLength(LINES_PER_ADDRESS);
  for (let index = 0; index < 5000; index++) log(`10.1.${index >> 8}.${index & 255}`);
  expect(lines).toHaveLength(LINES_IN_ALL);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(LINES_IN_ALL + 1);
  expect(lines.at(-1)).toMatchObject({
    count: 6000 - LINES_IN_ALL,
    addresses: 1 + 5000 - (LINES_IN_ALL - LINES_PER_ADDRESS),
    address: '10.0.0.1',
    msg: 'requests refused and not logged one by one',
  });
  // A minute without any has no line, and the next one begins anew.
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(LINES_IN_ALL + 1);
  log('10.0.0.1');
  expect(lines.at(-1)).toMatchObject({ address: '10.0.0.1', msg: 'request refused' });
});

test('what was not logged is told when the service stops', () => {
  const refusals = openRefusals();
  for (let index = 0; index <= LINES_PER_ADDRESS; index++) refusals.log('warn', '10.0.0.1', {}, 'request refused');
  refusals.close();
  expect(lines.at(-1)).toMatchObject({ count: 1, addresses: 1 });
  refusals.close();
  expect(lines).toHaveLength(LINES_PER_ADDRESS + 1);
});

test('so many addresses are remembered and no more, those that came last', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, { now: () => 0, most: MAX_ADDRESSES });
  for (let index = 0; index < 2 * MAX_ADDRESSES; index++) {
    limiter.tryTake(`address ${index}`);
    limiter.tryTake('always there');
  }
  expect(limiter.size).toBe(MAX_ADDRESSES);
  expect(limiter.tryTake('always there')).toBe(false);
  expect(limiter.tryTake(`address ${2 * MAX_ADDRESSES - 1}`)).toBe(false);
  expect(limiter.tryTake('address 0')).toBe(true);
});

import { afterEach, describe, expect, test } from 'vitest';
import { holdBackBeforeExit } from '../../src/delivery/end/before-exit.ts';

// How often programs hear of `beforeExit` is tried in processes of their own, in `test/flow/before-exit.test.ts`.

type Emit = (this: unknown, ...args: unknown[]) => boolean;

const ends: (() => void)[] = [];
const hold = (isBusy = () => false) => {
  const end = holdBackBeforeExit(isBusy);
  ends.push(end);
  return end;
};
const emitNow = () => Reflect.get(process, 'emit') as Emit;
const own = () => Object.getOwnPropertyDescriptor(process, 'emit');
/** Loaders of TypeScript may have put something there. */
const before = own();
const reset = () => {
  Reflect.deleteProperty(process, 'emit');
  if (before) Object.defineProperty(process, 'emit', before);
};
const put = (value: unknown) => Object.defineProperty(process, 'emit', { value, configurable: true, writable: true });

afterEach(() => {
  for (const end of ends.splice(0)) end();
  reset();
});

test('the function in the place of emit looks like what it replaces', () => {
  const [{ name, length }, keys, count] = [emitNow(), Object.keys(process), process.listenerCount('beforeExit')];
  hold();
  expect(own()).not.toEqual(before);
  expect([emitNow().name, emitNow().length]).toEqual([name, length]);
  expect(Object.keys(process)).toEqual(keys);
  expect(process.listenerCount('beforeExit')).toBe(count);
});

test('it passes on what it is given, to handlers added by on and by once, and says if there were any', () => {
  hold();
  const heard: unknown[] = [];
  const emit = process.emit.bind(process) as (...args: unknown[]) => boolean;
  const handler = (...args: unknown[]) => void heard.push(args);
  process.once('spoor-test' as 'beforeExit', handler).on('spoor-test' as 'beforeExit', handler);
  try {
    expect([emit('spoor-test', 1, undefined), emit('spoor-test'), emit('spoor-nobody')]).toEqual([true, true, false]);
  } finally {
    process.off('spoor-test', handler);
  }
  expect(heard).toEqual([[1, undefined], [1, undefined], []]);
});

describe('when the last client has ended, what was there is back', () => {
  test('nothing', () => {
    Reflect.deleteProperty(process, 'emit');
    const [first, second] = [hold(), hold()];
    first();
    expect(own()).toBeDefined();
    second();
    expect(own()).toBeUndefined();
  });

  test('a property of the program', () => {
    const emit: Emit = () => true;
    const given = { value: emit, configurable: true, writable: false, enumerable: true };
    Object.defineProperty(process, 'emit', given);
    const end = hold();
    expect(emitNow()).not.toBe(emit);
    end();
    expect(own()).toEqual(given);
  });
});

test('clients that come and go under a function of the program are one layer, and none when it is gone', () => {
  hold();
  const ours = emitNow();
  const over: Emit = function (...args) {
    return Reflect.apply(ours, this, args);
  };
  put(over);
  for (let round = 0; round < 100; round++) {
    for (const end of ends.splice(0)) end();
    hold();
    expect(emitNow()).toBe(over);
  }
  put(ours);
  for (const end of ends.splice(0)) end();
  expect(own()).toEqual(before);
});

test('somebody who removes his own together with ours gets it back with the next client', () => {
  hold();
  const ours = emitNow();
  Reflect.deleteProperty(process, 'emit');
  hold();
  expect(own()).toBeDefined();
  expect(emitNow()).not.toBe(ours);
});

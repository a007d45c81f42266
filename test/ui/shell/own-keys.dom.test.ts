import { afterEach, expect, test } from 'vitest';
import { swapKey, ownKey, ownKeys, resetKeys } from '../../../src/ui/shell/own-keys.ts';
import { recall, remember } from '../../../src/ui/shell/remembered.ts';

afterEach(resetKeys);

const KEYS = ['a', 'b', 'c', 'd', 'g c', 'Mod+k'];

test('keys change places, so that no key ever has two meanings', () => {
  // Each with each, over and over: whatever was changed before.
  for (const keys of KEYS) for (const to of KEYS) swapKey(keys, to);
  expect(KEYS.map(ownKey).toSorted()).toEqual(KEYS.toSorted());
  expect(ownKey('Mod+k')).toBe('Mod+k');
});

test('a key goes back to what it was, and the one that it took goes back too', () => {
  swapKey('j', 'x');
  expect([...ownKeys()]).toEqual([
    ['x', 'j'],
    ['j', 'x'],
  ]);
  swapKey('j', 'j');
  expect([...ownKeys()]).toEqual([]);
});

test('all keys go back at once', () => {
  swapKey('j', 'm');
  swapKey('k', 'j');
  resetKeys();
  expect(['j', 'k', 'm'].map(ownKey)).toEqual(['j', 'k', 'm']);
});

test('this browser keeps them; what it kept of something else changes no key', () => {
  swapKey('j', 'm');
  expect(JSON.parse(recall('keys.own') ?? '')).toEqual({ j: 'm', m: 'j' });
  remember('keys.own', '{"t":"ü","u":7}');
  expect([...ownKeys()]).toEqual([['t', 'ü']]);
  for (const broken of ['{', 'null', '7', '']) {
    remember('keys.own', broken);
    expect(ownKey('j')).toBe('j');
  }
});

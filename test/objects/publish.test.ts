import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { get } from '../../src/objects/get.ts';
import { ObjectRef } from '../../src/objects/object-ref.ts';
import { publish } from '../../src/objects/publish.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { clearTracer } from '../../src/tracing/record/tracer.ts';
import { type Recording, startRecording } from '../tracing/recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

test('the reference is there at once, with the digest of the protocol', () => {
  const ref = publish({ b: 2, a: [1, 2.5, null, true], é: 'ü\n' }, 'settings');
  expect(String(ref)).toBe('svc:///acme/demo/object/settings:08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM');
  expect([ref.name, ref.digest]).toEqual(['settings', '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM']);
  expect(recording.objects).toEqual([
    {
      projectId: 'acme/demo',
      objectId: 'settings',
      val: { b: 2, a: [1, 2.5, null, true], é: 'ü\n' },
      digest: ref.digest,
      files: [],
    },
  ]);
});

test('a reference inside a value or a call is its text', () => {
  const inner = publish({ n: 1 }, 'inner');
  const outer = publish({ inner, list: [inner] }, 'outer');
  expect(recording.objects[1]?.val).toEqual({ inner: String(inner), list: [String(inner)] });
  traced((settings: unknown) => settings, { name: 'use', args: ['settings'] })(outer);
  expect(recording.call('use').start.inputs).toEqual({ settings: String(outer) });
});

test('what was published here is read from memory, with references as ObjectRefs', async () => {
  const inner = publish(['x'], 'inner');
  const outer = publish({ inner, text: 'svc:///no ref' }, 'outer');
  const value = (await outer.get()) as { inner: ObjectRef; text: string };
  expect(value.text).toBe('svc:///no ref');
  expect(value.inner).toBeInstanceOf(ObjectRef);
  expect(await value.inner.get()).toEqual(['x']);
  expect(await get(String(inner))).toEqual(['x']);
});

test('other references are read through the client', async () => {
  const asked: string[] = [];
  recording = startRecording({
    objects: {
      read: async (ref) => ({ from: ref }),
      readFile: async () => new Uint8Array(),
      stored: async (ref) => void asked.push(ref),
    },
  });
  const ref = 'svc:///acme/demo/object/other:v3';
  expect(await get(ref)).toEqual({
    from: new ObjectRef({ kind: 'object', entity: 'acme', project: 'demo', name: 'other', version: 'v3', extra: [] }),
  });
  const mine = publish(1, 'mine');
  await mine.stored();
  expect(asked).toEqual([String(mine)]);
});

test('latest is what was published here while no service takes it', async () => {
  vi.useFakeTimers();
  const away = async () => Promise.reject(new Error('away'));
  recording = startRecording({ objects: { read: away, readFile: away, stored: () => new Promise(() => undefined) } });
  publish({ n: 1 }, 'waiting');
  publish({ n: 2 }, 'waiting');
  const reading = Promise.all([
    get('svc:///acme/demo/object/waiting:latest/key/n'),
    get('svc:///acme/demo/object/waiting:v0').catch((error: unknown) => String(error)),
    get('svc:///acme/other/object/waiting:latest').catch((error: unknown) => String(error)),
  ]);
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  expect(await reading).toEqual([2, 'Error: away', 'Error: away']);
});

test('what cannot be read says why', async () => {
  await expect(get('nonsense')).rejects.toThrow(
    new TypeError('Cannot get: the argument "ref" is "nonsense": it does not start with svc:///'),
  );
  await expect(get('svc:///acme/demo/object/other:v4')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a value gets the name of its class, and a bad name is refused', () => {
  class Settings {
    readonly a = 1;
  }
  expect(publish(new Settings()).name).toBe('Settings');
  expect(publish({ a: 1 }).name).toBe('object');
  expect(publish({ a: 1 }, 'my settings!').name).toBe('my-settings');
  expect(() => publish({}, '///')).toThrow(TypeError);
});

test('secrets are masked, and long lists and texts are kept whole', () => {
  const text = 'x'.repeat(100_000);
  const numbers = Array.from({ length: 2000 }, (_, index) => index);
  publish({ apiKey: 'abc', text, numbers }, 'long');
  expect(recording.objects[0]?.val).toEqual({ apiKey: '[masked]', text, numbers });
});

test('half a surrogate pair is replaced before the digest is made', () => {
  publish({ 'a\ud800': 'b\udfff' }, 'halves');
  expect(recording.objects[0]?.val).toEqual({ 'a\ufffd': 'b\ufffd' });
});

test('without recording there is a reference, and nothing is written', async () => {
  clearTracer();
  const ref = publish({ n: 5 }, 'quiet');
  expect(String(ref)).toMatch(/^svc:\/\/\/local\/not-recorded\/object\/quiet:/);
  expect(await ref.get()).toEqual({ n: 5 });
  await ref.stored();
  expect(recording.objects).toEqual([]);
});

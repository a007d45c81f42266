import { afterEach, beforeEach, expect, test } from 'vitest';
import { get } from '../../src/objects/get.ts';
import { publish } from '../../src/objects/publish.ts';
import { StringPrompt } from '../../src/objects/prompt.ts';
import type { JsonValue } from '../../src/protocol/values/canonical-json.ts';
import { digestJson } from '../../src/protocol/values/digest.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording } from '../tracing/recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const use = traced((value: unknown) => value, { name: 'use', args: ['value'] });

/** What the only call records of its argument and of its output. */
function recorded(value: unknown): [unknown, unknown] {
  recording.records.length = 0;
  use(value);
  const { start, end } = recording.call('use');
  return [start.inputs?.['value'], end?.output];
}

class Model {
  temperature = 0.5;
  readonly tools = [{ name: 'search' }];
  readonly seen = new Map<string, number>();
  readonly since = new Date(0);
}

test('a published object is recorded as its reference, alone and inside of others', () => {
  const model = new Model();
  const settings = { n: 1 };
  expect(recorded(model)[0]).toMatchObject({ _class: 'Model' });
  const ref = String(publish(model));
  const settingsRef = String(publish(settings, 'settings'));
  expect(recorded(model)).toEqual([ref, ref]);
  expect(recorded({ list: [model], settings })[0]).toEqual({ list: [ref], settings: settingsRef });
  expect(recorded(new Model())[0]).toMatchObject({ _class: 'Model' });
});

test('one that has changed since is recorded as it is now, until it is as it was', () => {
  const model = new Model();
  const ref = String(publish(model));
  model.temperature = 1;
  expect(recorded(model)[0]).toMatchObject({ temperature: 1 });
  model.temperature = 0.5;
  expect(recorded(model)[0]).toBe(ref);
});

test.each([
  ['a list inside', (model: Model) => model.tools.push({ name: 'more' })],
  ['an object inside', (model: Model) => Object.assign(model.tools[0] ?? {}, { name: 'other' })],
  ['a map', (model: Model) => model.seen.set('x', 1)],
  ['a date', (model: Model) => model.since.setTime(5)],
  ['a new member', (model: Model) => Object.assign(model, { more: 1 })],
])('a change of %s is seen', (_, change) => {
  const model = new Model();
  const ref = String(publish(model));
  expect(recorded(model)[0]).toBe(ref);
  change(model);
  expect(recorded(model)[0]).not.toBe(ref);
});

test('a change of an instance inside an instance is seen', () => {
  const inner = new Model();
  const outer = { inner };
  const ref = String(publish(outer, 'outer'));
  expect(recorded(outer)[0]).toBe(ref);
  inner.temperature = 3;
  expect(recorded(outer)[0]).not.toBe(ref);
});

test('values of which a change could not be seen are recorded as they are', async () => {
  const bytes = { data: new Uint8Array([1, 2, 3]) };
  const ref = publish(bytes, 'bytes');
  expect(recorded(bytes)[0]).not.toBe(String(ref));
  const long = Array.from({ length: 5000 }, (_, index) => index);
  const longRef = publish(long, 'long');
  expect(recorded(long)[0]).not.toBe(String(longRef));
  expect(recorded(await get(longRef))[0]).not.toBe(String(longRef));
  class Account {
    #balance = 5;
    toJSON() {
      return { balance: this.#balance++ };
    }
  }
  const account = new Account();
  const accountRef = publish(account);
  expect(recorded(account)[0]).not.toBe(String(accountRef));
});

test('a getter that throws costs the reference, not the call', () => {
  let isBroken = false;
  const value = {
    get n() {
      if (isBroken) throw new Error('no');
      return 1;
    },
  };
  const ref = String(publish(value, 'getter'));
  expect(recorded(value)[0]).toBe(ref);
  isBroken = true;
  expect(recorded(value)[0]).toEqual({ n: '[Unreadable]' });
});

test('a published prompt is recorded as its reference', () => {
  const prompt = new StringPrompt({ name: 'ask', content: 'Why {thing}?' });
  const ref = String(prompt.publish());
  expect(recorded(prompt)[0]).toBe(ref);
});

test('a secret member stays hidden, published or not', () => {
  const credentials = { user: 'a' };
  publish(credentials, 'credentials');
  expect(recorded({ password: credentials })[0]).toEqual({ password: '[masked]' });
});

test('references end with their project', () => {
  const model = new Model();
  publish(model);
  recording = startRecording({ projectId: 'acme/other' });
  expect(recorded(model)[0]).toMatchObject({ _class: 'Model' });
});

test('a value that was read is recorded as the reference of its version', async () => {
  const settings = String(publish({ temperature: 0.5, deep: { list: ['x'] } }, 'settings'));
  const read = await get<{ deep: { list: string[] } }>(settings);
  expect(recorded(read)[0]).toBe(settings);
  expect(recorded(await get(`${settings}/key/deep`))[0]).toBe(`${settings}/key/deep`);
  read.deep.list.push('y');
  expect(recorded(read)[0]).toEqual({ temperature: 0.5, deep: { list: ['x', 'y'] } });
});

test('one that was read as the latest is recorded as the version it is, where that can be told', async () => {
  const values: Record<string, unknown> = {
    prompt: { _type: 'StringPrompt', content: 'Why {thing}?' },
    counted: { whole: 1 },
  };
  const read = async (ref: string) => values[/object\/(\w+):/.exec(ref)?.[1] ?? ''];
  recording = startRecording({
    objects: { read, readFile: async () => new Uint8Array(), stored: async () => undefined },
  });
  const prompt = await get('svc:///acme/demo/object/prompt:latest');
  expect(prompt).toBeInstanceOf(StringPrompt);
  expect(recorded(prompt)[0]).toBe(`svc:///acme/demo/object/prompt:${digestJson(values['prompt'] as JsonValue)}`);
  expect(recorded(await get('svc:///acme/demo/object/counted:latest'))[0]).toEqual({ whole: 1 });
});

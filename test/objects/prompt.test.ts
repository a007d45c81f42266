import { afterEach, beforeEach, expect, test } from 'vitest';
import { get } from '../../src/objects/get.ts';
import { MessagesPrompt, StringPrompt } from '../../src/objects/prompt.ts';
import { publish } from '../../src/objects/publish.ts';
import { type Recording, startRecording } from '../tracing/recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

function format(content: string, values?: Record<string, unknown>): string {
  return new StringPrompt({ content }).format(values);
}

test('placeholders are replaced by values, and values are not read again', () => {
  expect(format('Hi {name}, {name}!', { name: '{other} $& $1' })).toBe('Hi {other} $& $1, {other} $& $1!');
  expect(format('{n} {yes} {nothing} {größe}', { n: 1.5, yes: true, nothing: null, größe: 3n })).toBe(
    '1.5 true null 3',
  );
});

test.each([
  ['{{name}}', '{name}'],
  ['{{{name}}}', '{Ada}'],
  ['{{"a": {name}}}', '{"a": Ada}'],
  ['{{}}', '{}'],
  ['{"a": {"b": 1}}', '{"a": {"b": 1}}'],
  ['{"a":{}} and {name}', '{"a":{}} and Ada'],
  ['x{3} { name } {} }{ {', 'x{3} { name } {} }{ {'],
  ['{name:>10}|{name:}', 'Ada|Ada'],
  ['no braces', 'no braces'],
])('%s becomes %s', (template, text) => {
  expect(format(template, { name: 'Ada' })).toBe(text);
});

test('a value without a text of its own is written as JSON', () => {
  const date = new Date(0);
  expect(format('{o} {l} {d}', { o: { a: 1 }, l: [1, 2], d: date })).toBe(`{"a":1} [1,2] ${String(date)}`);
});

test('missing values are named all at once', () => {
  const prompt = new StringPrompt({ name: 'greet', content: '{a} {b} {a} {c}' });
  // @ts-expect-error two are missing
  expect(() => prompt.format({ b: 1 })).toThrow(
    new TypeError('Cannot format the prompt "greet": "values" has none for {a}, {c}'),
  );
  expect(() => format('{toString}', {})).toThrow('"values" has none for {toString}');
  expect(() => format('{a}')).toThrow('Cannot format the prompt: "values" has none for {a}');
});

test('messages are filled in, also in parts, and nothing deeper', () => {
  const prompt = new MessagesPrompt({
    messages: [
      { role: 'system', content: 'You are {who}' },
      { role: 'user', content: [{ type: 'text', text: '{question}?' }], meta: { text: '{who}' }, n: 1 },
    ],
  });
  expect(prompt.format({ who: 'kind', question: 'Why' })).toEqual([
    { role: 'system', content: 'You are kind' },
    { role: 'user', content: [{ type: 'text', text: 'Why?' }], meta: { text: '{who}' }, n: 1 },
  ]);
  expect(prompt.messages[0]?.content).toBe('You are {who}');
});

test('prompts are stored in the form all clients know', () => {
  const ref = publish(new StringPrompt({ name: 'greet', description: 'says hello', content: 'Hi {name}' }));
  const messages = [{ role: 'user', content: 'Hi {name}' }];
  new MessagesPrompt({ messages }).publish('chat');
  expect(ref.name).toBe('greet');
  expect(recording.objects.map(({ objectId, val }) => [objectId, val])).toEqual([
    [
      'greet',
      {
        _type: 'StringPrompt',
        _class_name: 'StringPrompt',
        _bases: ['Prompt', 'Object', 'BaseModel'],
        name: 'greet',
        description: 'says hello',
        content: 'Hi {name}',
      },
    ],
    [
      'chat',
      { _type: 'MessagesPrompt', _class_name: 'MessagesPrompt', _bases: ['Prompt', 'Object', 'BaseModel'], messages },
    ],
  ]);
});

test('a class derived from a prompt is stored as what it is', () => {
  class Greeting extends StringPrompt {}
  new Greeting({ content: 'Hi' }).publish('hi');
  expect(recording.objects[0]?.val).toMatchObject({
    _type: 'Greeting',
    _bases: ['StringPrompt', 'Object', 'BaseModel'],
  });
});

test('a prompt that is read is a prompt', async () => {
  const read = await get(publish(new StringPrompt({ name: 'greet', content: 'Hi {name}' })));
  expect(read).toBeInstanceOf(StringPrompt);
  expect((read as StringPrompt).format({ name: 'Ada' })).toBe('Hi Ada');
  const chat = await new MessagesPrompt({ messages: [{ role: 'user', content: '{q}' }] }).publish().get();
  expect((chat as MessagesPrompt).format({ q: 1 })).toEqual([{ role: 'user', content: '1' }]);
});

test('a prompt of another client that is no prompt here is read as its fields', async () => {
  const odd = { _type: 'MessagesPrompt', messages: ['no message'] };
  expect(await get(publish(odd, 'odd'))).toEqual(odd);
});

test('wrong options are refused by name', () => {
  // @ts-expect-error content is missing
  expect(() => new StringPrompt({})).toThrow(/option "content" is undefined, not a text/);
  // @ts-expect-error no list
  expect(() => new MessagesPrompt({ messages: 'x' })).toThrow(/option "messages" is a string, not a list/);
  // @ts-expect-error no object
  expect(() => new MessagesPrompt({ messages: [{}, 1] })).toThrow(/option "messages\[1\]" is a number, not an object/);
  expect(() => new StringPrompt({ name: 'a/b', content: '' })).toThrow(/argument "name" is "a\/b"/);
  // @ts-expect-error no object
  expect(() => new StringPrompt({ content: '' }).format(5)).toThrow(/argument "values" is a number, not an object/);
});

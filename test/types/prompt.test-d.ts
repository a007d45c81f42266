import { expectTypeOf, test } from 'vitest';
import { MessagesPrompt, StringPrompt } from '../../src/objects/prompt.ts';
import type { PlaceholdersOf } from '../../src/objects/template.ts';

test('the names of placeholders are known from the text', () => {
  expectTypeOf<PlaceholdersOf<'Hi {name}, {age:>3}!'>>().toEqualTypeOf<'name' | 'age'>();
  expectTypeOf<PlaceholdersOf<'{{name}} {{{other}}}'>>().toEqualTypeOf<'other'>();
  expectTypeOf<PlaceholdersOf<'{"a": {"b": 1}} x{3} { no } {}'>>().toEqualTypeOf<never>();
  expectTypeOf<PlaceholdersOf<'nothing'>>().toEqualTypeOf<never>();
  expectTypeOf<PlaceholdersOf<string>>().toEqualTypeOf<string>();
});

test('a value for each placeholder is asked for', () => {
  const prompt = new StringPrompt({ content: 'Hi {name}' });
  expectTypeOf(prompt.format({ name: 'Ada' })).toEqualTypeOf<string>();
  // @ts-expect-error no value for {name}
  prompt.format({ nam: 'Ada' });
  // @ts-expect-error no value for {name}
  prompt.format();
  new StringPrompt({ content: 'Hi' }).format();
});

test('any record goes where the text is not known to the compiler', () => {
  const content: string = ['Hi'].join('');
  const prompt = new StringPrompt({ content });
  expectTypeOf(prompt.format({ anything: 1 })).toEqualTypeOf<string>();
  expectTypeOf(prompt.format()).toEqualTypeOf<string>();
  expectTypeOf(new StringPrompt({ content: 'Hi {name}' })).toExtend<StringPrompt>();
});

test('messages keep their shape, and their placeholders are asked for', () => {
  const prompt = new MessagesPrompt({
    messages: [
      { role: 'system', content: 'You are {who}' },
      { role: 'user', content: [{ type: 'text', text: '{question}' }] },
    ],
  });
  const [system, user] = prompt.format({ who: 'kind', question: 1 });
  expectTypeOf(system.role).toEqualTypeOf<'system'>();
  expectTypeOf(system.content).toEqualTypeOf<string>();
  expectTypeOf(user.content[0].text).toEqualTypeOf<string>();
  // @ts-expect-error no value for {question}
  prompt.format({ who: 'kind' });
});

test('messages that are not known to the compiler keep their type', () => {
  interface Message {
    role: 'user' | 'system';
    content: string;
  }
  const messages: Message[] = [];
  const prompt = new MessagesPrompt({ messages });
  expectTypeOf(prompt.format({ anything: 1 })).toExtend<Message[]>();
});

import { isObject } from '../protocol/values/parsed-object.ts';
import { describe, toObjectName } from './check-argument.ts';
import type { ObjectRef } from './object-ref.ts';
import { PUBLISH, type Publishable } from './publishable.ts';
import { saveObject } from './save-object.ts';
import { fillTemplate, type PlaceholdersOf, type ValuesFor } from './template.ts';
import { classHeader } from './typed-object.ts';

interface PromptOptions {
  /** @default the name of the class */
  readonly name?: string;
  readonly description?: string;
}

export interface StringPromptOptions<Content extends string = string> extends PromptOptions {
  /** The text, with placeholders like `{name}`; `{{` and `}}` stand for braces around anything else. */
  readonly content: Content;
}

export interface MessagesPromptOptions<Messages extends readonly object[] = readonly object[]> extends PromptOptions {
  /** Messages of a chat. Placeholders stand in their texts and in the texts of lists of parts. */
  readonly messages: Messages;
}

/**
 * A text with placeholders that is published as a versioned prompt.
 *
 * @example
 * const greeting = new StringPrompt({ name: 'greeting', content: 'Say hello to {person}' });
 * publish(greeting);
 * greeting.format({ person: 'Ada' }); // 'Say hello to Ada'
 */
export class StringPrompt<const Content extends string = string> implements Publishable {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly content: Content;

  constructor({ name, description, content }: StringPromptOptions<Content>) {
    if (typeof content !== 'string') throw refuse('content', content, 'a text');
    checkNames({ name, description });
    this.name = name;
    this.description = description;
    this.content = content;
  }

  /** The text with values in place of its placeholders. Throws a `TypeError` that names those without a value. */
  format(...[values]: ValuesFor<PlaceholdersOf<Content>>): string {
    return filling(this.name, values, (fill) => fill(this.content));
  }

  /** Stores this version and answers its reference at once. */
  publish(name?: string): ObjectRef<StringPrompt<Content>> {
    return this[PUBLISH](name);
  }

  [PUBLISH](name?: string): ObjectRef<StringPrompt<Content>> {
    return savePrompt(this, StringPrompt.prototype, 'StringPrompt', name);
  }
}

/**
 * Messages of a chat with placeholders, published as a versioned prompt.
 *
 * @example
 * const ask = new MessagesPrompt({ name: 'ask', messages: [{ role: 'user', content: 'What is {thing}?' }] });
 * ask.format({ thing: 'a spoor' }); // [{ role: 'user', content: 'What is a spoor?' }]
 */
export class MessagesPrompt<const Messages extends readonly object[] = readonly object[]> implements Publishable {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly messages: Messages;

  constructor({ name, description, messages }: MessagesPromptOptions<Messages>) {
    if (!Array.isArray(messages)) throw refuse('messages', messages, 'a list');
    const wrong = messages.findIndex((message: unknown) => !isObject(message));
    if (wrong !== -1) throw refuse(`messages[${wrong}]`, messages[wrong], 'an object');
    checkNames({ name, description });
    this.name = name;
    this.description = description;
    this.messages = messages;
  }

  /** Copies of the messages with values in place of placeholders. Throws a `TypeError` that names those without one. */
  format(...[values]: ValuesFor<PlaceholdersIn<Messages>>): Formatted<Messages> {
    const messages = filling(this.name, values, (fill) => this.messages.map((message) => fillMessage(message, fill)));
    // The shape stays; only texts are replaced.
    return messages as Formatted<Messages>;
  }

  /** Stores this version and answers its reference at once. */
  publish(name?: string): ObjectRef<MessagesPrompt<Messages>> {
    return this[PUBLISH](name);
  }

  [PUBLISH](name?: string): ObjectRef<MessagesPrompt<Messages>> {
    return savePrompt(this, MessagesPrompt.prototype, 'MessagesPrompt', name);
  }
}

/** The prompt that a stored value is; `undefined` when it is none. */
export function toPrompt(value: unknown): StringPrompt | MessagesPrompt | undefined {
  if (!isObject(value)) return undefined;
  const { _type: type, name, description, content, messages } = value;
  const named = {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
  try {
    if (type === 'StringPrompt' && typeof content === 'string') return new StringPrompt({ ...named, content });
    if (type === 'MessagesPrompt' && Array.isArray(messages)) return new MessagesPrompt({ ...named, messages });
  } catch {
    // Other clients take names and messages that we do not; their fields can be read all the same.
  }
  return undefined;
}

type Fill = (template: string) => string;

function filling<Result>(name: string | undefined, values: unknown, use: (fill: Fill) => Result): Result {
  const action = name === undefined ? 'format the prompt' : `format the prompt "${name}"`;
  if (values !== undefined && !isObject(values)) {
    throw new TypeError(`Cannot ${action}: the argument "values" is ${describe(values)}, not an object`);
  }
  const missing = new Set<string>();
  const result = use((template) => {
    const filled = fillTemplate(template, values ?? {});
    for (const placeholder of filled.missing) missing.add(`{${placeholder}}`);
    return filled.text;
  });
  if (missing.size > 0) throw new TypeError(`Cannot ${action}: "values" has none for ${[...missing].join(', ')}`);
  return result;
}

/** Texts of a message, and those of lists of parts; what lies deeper, like the arguments of a tool, stays. */
function fillMessage(message: object, fill: Fill): object {
  return Object.fromEntries(Object.entries(message).map(([key, value]) => [key, fillValue(value, fill)]));
}

function fillValue(value: unknown, fill: Fill): unknown {
  if (typeof value === 'string') return fill(value);
  return Array.isArray(value) && value.every(isObject) ? value.map((part) => fillMessage(part, fill)) : value;
}

function savePrompt<Prompt extends StringPrompt | MessagesPrompt>(
  prompt: Prompt,
  prototype: object,
  className: string,
  name: string | undefined,
): ObjectRef<Prompt> {
  const objectId = toObjectName(name ?? prompt.name ?? className, 'publish the prompt');
  // A class that a user derived is stored as what it is.
  const isOurs = Object.getPrototypeOf(prompt) === prototype;
  return saveObject(prompt, objectId, isOurs ? classHeader(className, ['Prompt']) : undefined) as ObjectRef<Prompt>;
}

function checkNames({ name, description }: Record<'name' | 'description', unknown>): void {
  if (name !== undefined) toObjectName(name, 'make the prompt');
  if (description !== undefined && typeof description !== 'string') throw refuse('description', description, 'a text');
}

function refuse(option: string, value: unknown, wanted: string): TypeError {
  return new TypeError(`Cannot make the prompt: the option "${option}" is ${describe(value)}, not ${wanted}`);
}

/** The names of the placeholders in messages. */
type PlaceholdersIn<Value> = Value extends string
  ? PlaceholdersOf<Value>
  : Value extends readonly (infer Item)[]
    ? Item extends object
      ? PlaceholdersIn<Item[keyof Item]>
      : never
    : never;

/** Messages with texts in place of templates. */
type Formatted<Value> = Value extends string
  ? [PlaceholdersOf<Value>] extends [never]
    ? Value
    : string
  : Value extends object
    ? { -readonly [Key in keyof Value]: Formatted<Value[Key]> }
    : Value;

import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { Fold } from '../api/fold.ts';
import { memberOf, textOf } from '../api/json-object.ts';

/** The content that a stream of the AI SDK brought, with the error that it told of. */
export interface PartFold extends Fold {
  failure(): Error | undefined;
  /** Has the last part come? */
  isWhole(): boolean;
  /** The parts that end a step, with its tokens. */
  steps(): readonly ParsedObject[];
}

/** Parts that say nothing of the content. */
const AROUND = new Set(['start', 'start-step', 'stream-start', 'raw', 'abort', 'ping', 'tool-input-end']);

/** The member of the content that a part adds to. */
const GROWING: Readonly<Record<string, string>> = {
  'text-delta': 'text',
  'reasoning-delta': 'text',
  'tool-input-delta': 'input',
};

/** Parts of a stream to the content as without streaming: those of a model, and those that programs see. */
export function foldParts(): PartFold {
  const whole = new Content();
  return {
    add(event) {
      // The results of programs keep each part with what was parsed until then.
      const part = memberOf(event, 'part') ?? event;
      if (isObject(part) && !AROUND.has(String(part['type']))) whole.add(part);
    },
    value: () => whole.value(),
    failure: () => whole.failure,
    isWhole: () => whole.isWhole,
    steps: () => whole.steps,
  };
}

class Content {
  readonly #items: ParsedObject[] = [];
  /** Those that grow, by the name that their pieces have. */
  readonly #open = new Map<unknown, ParsedObject>();
  readonly #rest: ParsedObject = {};
  readonly steps: ParsedObject[] = [];
  failure: Error | undefined;
  isWhole = false;

  add(part: ParsedObject): void {
    const { type, id, ...rest } = part;
    const member = GROWING[String(type)];
    if (member !== undefined) return this.#grow(id, member, textOf(part['delta']) ?? textOf(part['text']) ?? '');
    switch (type) {
      case 'text-start':
      case 'reasoning-start':
        return this.#begin(id, { ...rest, type: type.replace('-start', ''), text: '' });
      case 'text-end':
      case 'reasoning-end':
        return this.#finishText(part);
      case 'tool-input-start':
        return this.#begin(id, { type: 'tool-call', toolCallId: id, toolName: part['toolName'], input: '' });
      case 'tool-call':
        return this.#finishToolCall(part);
      case 'response-metadata':
        return void (this.#rest['response'] = { ...rest, id });
      case 'object':
        return void (this.#rest['object'] = part['object']);
      case 'error':
        return void (this.failure = errorOf(part['error']));
      case 'finish-step':
      case 'finish':
        return this.#end(part, rest);
      default:
        this.#items.push({ ...part });
    }
  }

  value(): ParsedObject {
    const content = this.#items.filter(({ type, text }) => type !== 'text' || text !== '');
    return { content, ...this.#rest };
  }

  #begin(id: unknown, item: ParsedObject): void {
    this.#items.push(item);
    this.#open.set(id, item);
  }

  #grow(id: unknown, member: string, piece: string): void {
    const item = this.#open.get(id);
    if (item !== undefined) item[member] = (textOf(item[member]) ?? '') + piece;
  }

  /** Citations and signatures come when the text is there. */
  #finishText({ id, citations, providerMetadata }: ParsedObject): void {
    const told = Object.entries({ citations, providerMetadata }).filter(([, value]) => value !== undefined);
    Object.assign(this.#open.get(id) ?? {}, Object.fromEntries(told));
  }

  /** It brings as a whole what came in pieces before it. */
  #finishToolCall(part: ParsedObject): void {
    const begun = this.#open.get(part['toolCallId']);
    if (begun === undefined) this.#items.push({ ...part });
    else Object.assign(begun, part);
  }

  #end(part: ParsedObject, rest: ParsedObject): void {
    Object.assign(this.#rest, rest);
    if (part['type'] === 'finish') this.isWhole = true;
    else this.steps.push(part);
  }
}

function errorOf(failure: unknown): Error {
  if (failure instanceof Error) return failure;
  return new Error(textOf(failure) ?? JSON.stringify(failure));
}

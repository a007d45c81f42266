import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { Fold } from '../api/fold.ts';
import { memberOf, textOf } from '../api/json-object.ts';

/** Where the text of an event belongs: a member of the output item, or of one of the parts that the item lists. */
interface Place {
  readonly list?: 'content' | 'summary';
  readonly member: string;
}

const PLACES: Readonly<Record<string, Place>> = {
  'response.output_text.delta': { list: 'content', member: 'text' },
  'response.refusal.delta': { list: 'content', member: 'refusal' },
  'response.reasoning_text.delta': { list: 'content', member: 'text' },
  'response.reasoning_summary_text.delta': { list: 'summary', member: 'text' },
  'response.function_call_arguments.delta': { member: 'arguments' },
  'response.mcp_call_arguments.delta': { member: 'arguments' },
  'response.custom_tool_call_input.delta': { member: 'input' },
  'response.code_interpreter_call_code.delta': { member: 'code' },
};

const SOUND: Readonly<Record<string, string>> = {
  'response.audio.delta': 'data',
  'response.audio.transcript.delta': 'transcript',
};

const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/**
 * Events of a response to the response as a whole. The last event brings all of it; what comes before is put together
 * for a stream that is left early.
 */
export function foldResponse(): Fold {
  const items: ParsedObject[] = [];
  const sound: ParsedObject = {};
  let response: ParsedObject | undefined;
  let error: ParsedObject | undefined;
  let isLast = false;
  return {
    add(event) {
      if (!isObject(event)) return;
      const type = String(event['type']);
      const told = memberOf(event, 'response');
      if (told !== undefined) [response, isLast, error] = [told, LAST.has(type), undefined];
      else if (type === 'error') error = event;
      else if (type in SOUND) grow(sound, SOUND[type] ?? '', event['delta']);
      else addToItems(items, type, event);
    },
    value() {
      const output = response?.['output'];
      // Some services leave out of the last event what they have told before.
      const isWhole = isLast && Array.isArray(output) && (output.length > 0 || items.length === 0);
      return {
        ...response,
        ...(isWhole ? {} : { output: items.filter(isObject) }),
        ...(Object.keys(sound).length > 0 && { audio: sound }),
        ...(error !== undefined && { error }),
      };
    },
  };
}

/** A response tells of its failure by itself, though the request succeeded. */
export function failureOfResponse(value: unknown): Error | undefined {
  const error = memberOf(value, 'error');
  if (!isObject(value) || error === undefined) return undefined;
  if (value['status'] !== 'failed' && error['type'] !== 'error') return undefined;
  const [code, message] = [textOf(error['code']), textOf(error['message'])];
  return new Error([code, message].filter((text) => text !== undefined).join(': ') || 'The response failed');
}

function addToItems(items: ParsedObject[], type: string, event: ParsedObject): void {
  const { output_index: outputIndex, item, part } = event;
  if (typeof outputIndex !== 'number') return;
  if (isObject(item)) {
    items[outputIndex] = { ...item };
    return;
  }
  const into = (items[outputIndex] ??= {});
  if (isObject(part)) {
    listOf(into, 'summary_index' in event ? 'summary' : 'content')[indexOf(event)] = { ...part };
    return;
  }
  if (type === 'response.output_text.annotation.added') {
    const text = (listOf(into, 'content')[indexOf(event)] ??= {});
    text['annotations'] = [...(Array.isArray(text['annotations']) ? text['annotations'] : []), event['annotation']];
    return;
  }
  const place = PLACES[type];
  if (place === undefined) return;
  const target = place.list === undefined ? into : (listOf(into, place.list)[indexOf(event)] ??= {});
  grow(target, place.member, event['delta']);
}

function indexOf({ content_index: content, summary_index: summary }: ParsedObject): number {
  return Number(content ?? summary ?? 0);
}

/** Lists whose members nobody else has: what the program sees of an item is not changed. */
const ownLists = new WeakSet<object>();

function listOf(item: ParsedObject, name: 'content' | 'summary'): ParsedObject[] {
  const list = item[name];
  if (Array.isArray(list) && ownLists.has(list)) return list as ParsedObject[];
  const own = (Array.isArray(list) ? list : []).map((part: unknown) => (isObject(part) ? { ...part } : {}));
  ownLists.add(own);
  item[name] = own;
  return own;
}

function grow(target: ParsedObject, member: string, delta: unknown): void {
  if (typeof delta !== 'string') return;
  const before = target[member];
  target[member] = typeof before === 'string' ? before + delta : delta;
}

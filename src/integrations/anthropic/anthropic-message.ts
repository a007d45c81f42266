import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import { type Fold, mergePiece } from '../api/fold.ts';
import { memberOf } from '../api/json-object.ts';

/** Events of a message to the message as a whole: texts, thinking and the input of tools grow piece by piece. */
export function foldMessage(): Fold {
  const message: ParsedObject = {};
  const blocks: ParsedObject[] = [];
  /** Inputs of tools come as pieces of JSON. */
  const inputs = new Map<number, string>();
  const take = (event: ParsedObject): void => {
    const { index, delta } = event;
    if (event['type'] === 'message_start') Object.assign(message, event['message']);
    else if (event['type'] === 'message_delta') addToMessage(message, event);
    else if (typeof index !== 'number') return;
    else if (isObject(event['content_block'])) mergePiece((blocks[index] = {}), event['content_block']);
    else if (isObject(delta)) addToBlock((blocks[index] ??= {}), delta, index, inputs);
  };
  return {
    add(event) {
      if (isObject(event)) take(event);
    },
    value: () => ({ ...message, content: blocks.map((block, index) => withInput(block, inputs.get(index))) }),
  };
}

/** Numbers are sums of the whole so far; those that are not told stay. */
function addToMessage(message: ParsedObject, event: ParsedObject): void {
  const { type: _type, delta, usage, ...rest } = event;
  Object.assign(message, rest, delta);
  const told = isObject(usage) ? Object.entries(usage).filter(([, value]) => value !== null) : [];
  message['usage'] = { ...memberOf(message, 'usage'), ...Object.fromEntries(told) };
}

function addToBlock(block: ParsedObject, delta: ParsedObject, index: number, inputs: Map<number, string>): void {
  const { type, ...piece } = delta;
  if (type === 'input_json_delta') {
    inputs.set(index, (inputs.get(index) ?? '') + String(piece['partial_json']));
  } else if (type === 'citations_delta') {
    const before = Array.isArray(block['citations']) ? (block['citations'] as unknown[]) : [];
    block['citations'] = [...before, piece['citation']];
  } else {
    mergePiece(block, piece);
  }
}

/** Of a stream that was left early the JSON is not complete, and recorded as the text that it is. */
function withInput(block: ParsedObject, json: string | undefined): ParsedObject {
  if (json === undefined || json === '') return block;
  try {
    return { ...block, input: JSON.parse(json) as unknown };
  } catch {
    return { ...block, input: json };
  }
}

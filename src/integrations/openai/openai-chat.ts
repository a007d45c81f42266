import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import { type Fold, IndexedParts, mergePiece } from '../api/fold.ts';
import { objectsIn } from '../api/json-object.ts';

/** Chunks of a chat to the chat as a whole: texts, refusals, reasoning and calls of tools grow piece by piece. */
export function foldChat(): Fold {
  return foldChoices('chat.completion', (choice) => {
    const { delta, ...rest } = choice;
    return isObject(delta) ? { ...rest, message: delta } : rest;
  });
}

/** The same for completions of a text. */
export function foldCompletion(): Fold {
  return foldChoices('text_completion', (choice) => choice);
}

function foldChoices(object: string, asWhole: (choice: ParsedObject) => ParsedObject): Fold {
  const whole: ParsedObject = {};
  const parts = new IndexedParts();
  return {
    add(chunk) {
      if (!isObject(chunk)) return;
      const { choices, ...rest } = chunk;
      for (const [key, value] of Object.entries(rest)) if (value !== null || !(key in whole)) whole[key] = value;
      for (const choice of objectsIn(choices)) {
        mergePiece(parts.of(choice), asWhole(choice));
      }
    },
    value: () => ({ ...whole, object, choices: parts.inOrder().map(withoutToolIndexes) }),
  };
}

/** The place of a call of a tool is told in chunks only. */
function withoutToolIndexes(choice: ParsedObject): ParsedObject {
  const { message } = choice;
  if (!isObject(message) || !Array.isArray(message['tool_calls'])) return choice;
  const calls = message['tool_calls'].map((call: unknown) => {
    if (!isObject(call)) return call;
    const { index: _index, ...rest } = call;
    return rest;
  });
  return { ...choice, message: { ...message, tool_calls: calls } };
}

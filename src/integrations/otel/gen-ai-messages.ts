/** A message as the conventions of OpenTelemetry write it. */
interface Message {
  readonly role: string;
  readonly parts: readonly unknown[];
  readonly finish_reason?: string;
}

type Members = Readonly<Record<string, unknown>>;

/** The messages of a request, of whichever provider; `undefined` when it has none. */
export function messagesOfInputs({ messages, input, system, instructions }: Members): Message[] | undefined {
  const asked = messages ?? input;
  const list: readonly unknown[] = typeof asked === 'string' ? [{ role: 'user', content: asked }] : arrayOf(asked);
  if (list.length === 0) return undefined;
  const rules = system ?? instructions;
  const all = rules === undefined || rules === null ? list : [{ role: 'system', content: rules }, ...list];
  return all.map((message) => messageOf(message, 'user'));
}

/** The messages of an answer; `undefined` when it has none. */
export function messagesOfOutput(output: unknown): Message[] | undefined {
  const { choices, output: items, content, stop_reason: stopReason } = membersOf(output);
  if (Array.isArray(choices)) return choices.map((choice: unknown) => choiceOf(membersOf(choice)));
  if (Array.isArray(items)) return items.map((item: unknown) => messageOf(item, 'assistant'));
  if (content === undefined) return undefined;
  return [{ ...messageOf(output, 'assistant'), ...reason(stopReason) }];
}

function choiceOf({ message, text, finish_reason: finishReason }: Members): Message {
  return { ...messageOf(message ?? { content: text }, 'assistant'), ...reason(finishReason) };
}

function reason(text: unknown): Pick<Message, 'finish_reason'> {
  return typeof text === 'string' ? { finish_reason: text } : {};
}

function messageOf(message: unknown, otherwise: string): Message {
  const { role, content, tool_calls: calls, tool_call_id: answered } = membersOf(message);
  const parts = [...partsOf(content, answered), ...arrayOf(calls).map(toolCallOf)];
  // An item of another kind says what it is by itself.
  const own = parts.length === 0 && content === undefined ? [message] : parts;
  return { role: typeof role === 'string' ? role : otherwise, parts: own };
}

function partsOf(content: unknown, answered: unknown): unknown[] {
  if (answered !== undefined) return [{ type: 'tool_call_response', id: answered, response: content }];
  if (Array.isArray(content)) return content.map(partOf);
  return content === undefined || content === null ? [] : [{ type: 'text', content }];
}

/** Texts have one form in all providers; what else there is keeps its own. */
function partOf(part: unknown): unknown {
  const { type, text } = membersOf(part);
  return typeof type === 'string' && type.endsWith('text') && text !== undefined
    ? { type: 'text', content: text }
    : part;
}

function toolCallOf(call: unknown): unknown {
  const { id, function: called } = membersOf(call);
  const { name, arguments: given } = membersOf(called);
  return { type: 'tool_call', id, name, arguments: given };
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

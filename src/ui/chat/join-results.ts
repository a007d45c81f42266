import type { ChatMessage, ChatPart, ToolCallPart, ToolResultPart } from './chat.ts';

/**
 * Puts what tools gave back beside the calls that asked for it. A result that found its call is not said a second time;
 * one whose call is not in the conversation stays where it stands.
 */
export function joinResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const waiting = new Waiting(messages.flatMap(({ parts }) => parts));
  const taken = new Map<ToolCallPart, ToolResultPart>();
  const used = new Set<ChatPart>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool_call') waiting.add(part);
    if (part.type !== 'tool_result') continue;
    const call = waiting.take(part);
    if (call === undefined) continue;
    taken.set(call, part);
    used.add(part);
  }
  const joined = messages.map((message) => ({
    ...message,
    parts: message.parts
      .filter((part) => !used.has(part))
      .map((part) => (part.type === 'tool_call' ? { ...part, result: taken.get(part) } : part)),
  }));
  return joined.filter(({ parts }, index) => parts.length > 0 || messages[index]?.parts.length === 0);
}

/** Calls without a result yet. Gemini names no ids: there the name tells, in order. */
class Waiting {
  readonly #calls: ToolCallPart[] = [];
  readonly #hasIds: boolean;

  constructor(parts: readonly ChatPart[]) {
    this.#hasIds = parts.some((part) => part.type === 'tool_call' && part.id !== undefined);
  }

  add(call: ToolCallPart): void {
    this.#calls.push(call);
  }

  take(result: ToolResultPart): ToolCallPart | undefined {
    const isOf = (call: ToolCallPart) =>
      this.#hasIds && result.id !== undefined ? call.id === result.id : call.name === result.name;
    const index = this.#calls.findIndex(isOf);
    return index === -1 ? undefined : this.#calls.splice(index, 1)[0];
  }
}

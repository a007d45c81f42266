import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { Chat, ChatMessage, Setting } from './chat.ts';
import { joinResults } from './join-results.ts';
import { readAnswer } from './read-answer.ts';
import { looksLikeInstructions, readGiven, systemMessages } from './read-given.ts';
import { parsedOrText } from '../json/read-json.ts';
import { readTools } from './read-tools.ts';

/** The parts of a call that a chat is read from. */
export interface RecordedChat {
  readonly kind: string;
  readonly attributes: ParsedObject;
  readonly inputs: ParsedObject;
  readonly output: unknown;
}

/**
 * The conversation that a call had with a model, or that it was handed; `undefined` where it is none. Requests of models
 * are conversations whatever they were given; of any other call its values have to look like messages.
 */
export function chatOf({ kind, attributes, inputs, output }: RecordedChat): Chat | undefined {
  const isModel = kind.toLowerCase() === 'llm';
  const given = readGiven(inputs, isModel);
  const answered = readAnswer(output, isModel);
  if (given.messages.length === 0 && (answered.messages.length === 0 || !isModel)) return undefined;
  const messages = joinResults([
    ...instructionsOf(attributes, given.messages),
    ...given.messages,
    ...answered.messages,
  ]);
  const told = settingsIn(inputs, given.used);
  return {
    messages,
    tools: [...readTools(told.tools), ...readTools(attributes['tools'])],
    settings: [...told.settings, ...parametersIn(attributes), ...answerFacts(output, answered.used, messages)],
  };
}

/** Some instrumentations keep the instructions beside the messages. */
function instructionsOf({ system }: ParsedObject, given: readonly ChatMessage[]): ChatMessage[] {
  if (given.some(({ role }) => role === 'system') || !looksLikeInstructions(parsedOrText(system))) return [];
  return systemMessages(parsedOrText(system));
}

interface Told {
  readonly tools: unknown;
  readonly settings: readonly Setting[];
}

const TOOLS = new Set(['tools', 'functions']);
const INSTRUCTIONS = new Set(['systemInstruction', 'system_instruction']);

/** Everything of the request that is no message, so that nothing of it is missing here. */
function settingsIn(inputs: ParsedObject, used: readonly string[]): Told {
  const { config, ...rest } = inputs;
  const all = isObject(config) ? { ...rest, ...config } : inputs;
  const shown = Object.entries(all).filter(
    ([name]) => !used.includes(name) && !TOOLS.has(name) && !INSTRUCTIONS.has(name),
  );
  return { tools: all['tools'] ?? all['functions'], settings: settingsOf(shown) };
}

function parametersIn({ model_parameters: parameters }: ParsedObject): readonly Setting[] {
  const value = parsedOrText(parameters);
  return isObject(value) ? settingsOf(Object.entries(value)) : [];
}

/** Of the answer, what is neither its text nor its tokens: those have a place of their own. */
const ELSEWHERE = new Set(['usage', 'usageMetadata', 'object', 'created', 'created_at', 'type']);

function answerFacts(output: unknown, used: readonly string[], messages: readonly ChatMessage[]): readonly Setting[] {
  const reason = messages.findLast(({ isOutput }) => isOutput)?.finishReason;
  const facts = isObject(output) && used.length > 0 ? Object.entries(output) : [];
  const plain = facts.filter(([name, value]) => !used.includes(name) && !ELSEWHERE.has(name) && isPlain(value));
  return [...(reason === undefined ? [] : [{ name: 'finish_reason', value: reason }]), ...answerNames(plain)];
}

function answerNames(facts: readonly (readonly [string, unknown])[]): Setting[] {
  return facts.map(([name, value]) => ({ name: `answer.${name}`, value }));
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function settingsOf(entries: readonly (readonly [string, unknown])[]): Setting[] {
  return entries.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => ({ name, value }));
}

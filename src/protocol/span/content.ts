import type { JsonValue } from '../canonical-json.ts';
import { stringifyJson } from '../json.ts';
import { findIn, isObject, type JsonObject } from './attribute-tree.ts';
import { ATTRIBUTE_KEYS, INPUT_KEYS, OUTPUT_KEYS, SERVICE_KEYS, TOKEN_KEYS } from './known-keys.ts';

/** What a call keeps of the attributes of a span. */
export interface SpanContent {
  readonly attributes: JsonObject;
  readonly inputs: JsonObject;
  readonly output: JsonValue;
  readonly summary: JsonObject;
}

/** Finds inputs, output, usage and attributes among the conventions; without any of them all of it is attributes. */
export function contentOf(tree: JsonObject): SpanContent {
  const input = findFirst(tree, INPUT_KEYS);
  const output = findFirst(tree, OUTPUT_KEYS);
  const known = knownAttributes(tree);
  const usage = usageOf(tree);
  const extra = findFirst(tree, SERVICE_KEYS.attributes)?.value;
  const attributes = isObject(extra) ? { ...known, ...extra } : known;
  const isUnknown = !input && !output && isEmpty(usage) && isEmpty(attributes);
  return {
    attributes: isUnknown ? tree : attributes,
    inputs: input ? inputsOf(input) : {},
    output: output ? outputOf(output) : null,
    summary: isEmpty(usage) ? {} : { usage: { [modelOf(known)]: usage } },
  };
}

interface Match {
  readonly key: string;
  readonly value: JsonValue;
}

/** The first of several keys that holds something. */
export function findFirst(tree: JsonObject, keys: readonly string[]): Match | undefined {
  for (const key of keys) {
    const value = findIn(tree, key);
    if (value !== undefined) return { key, value };
  }
  return undefined;
}

/** Text under the first of several keys. */
export function textAt(tree: JsonObject, keys: readonly string[]): string | undefined {
  return textOf(findFirst(tree, keys)?.value);
}

/** A value as text. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return stringifyJson(value);
}

/** Integers and texts of digits; a double is no count. */
export function integerOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function inputsOf({ key, value }: Match): JsonObject {
  return (key === 'input' || key === 'inputs') && isObject(value) ? value : { [key]: value };
}

function outputOf({ key, value }: Match): JsonValue {
  return key === 'output' || key === 'outputs' ? value : { [key]: value };
}

function knownAttributes(tree: JsonObject): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {};
  for (const [name, keys] of Object.entries(ATTRIBUTE_KEYS)) {
    const match = findFirst(tree, keys);
    if (match) found[name] = match.value;
  }
  return found;
}

type TokenName = keyof typeof TOKEN_KEYS;

/**
 * Token counts. A producer may write both namings, and both would be added up later: then only input and output stay,
 * each taken from the other naming where its own has none.
 */
function usageOf(tree: JsonObject): Record<string, number> {
  const prompt = tokens(tree, 'prompt_tokens');
  const completion = tokens(tree, 'completion_tokens');
  const input = tokens(tree, 'input_tokens');
  const output = tokens(tree, 'output_tokens');
  const hasOld = prompt !== undefined || completion !== undefined;
  const hasNew = input !== undefined || output !== undefined;
  const pair = hasNew
    ? { input_tokens: input ?? prompt, output_tokens: output ?? completion }
    : { prompt_tokens: prompt, completion_tokens: completion };
  const total = tokens(tree, 'total_tokens') ?? (hasOld || hasNew ? sumOf(Object.values(pair)) : undefined);
  const counts = Object.entries({ ...pair, total_tokens: total });
  return Object.fromEntries(counts.flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])));
}

function tokens(tree: JsonObject, name: TokenName): number | undefined {
  for (const key of TOKEN_KEYS[name]) {
    const count = integerOf(findIn(tree, key));
    if (count !== undefined) return count;
  }
  return undefined;
}

function sumOf(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** The key of the usage. */
function modelOf({ model, model_parameters: parameters }: Record<string, JsonValue>): string {
  if (typeof model === 'string') return model;
  const requested = isObject(parameters) ? parameters['model'] : undefined;
  return typeof requested === 'string' && requested !== '' ? requested : 'usage';
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

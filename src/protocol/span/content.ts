import type { JsonValue } from '../values/canonical-json.ts';
import { stringifyJson } from '../values/json.ts';
import { findIn } from './attribute-tree.ts';
import { ATTRIBUTE_KEYS, INPUT_KEYS, OUTPUT_KEYS, SERVICE_KEYS, TOKEN_KEYS } from './known-keys.ts';
import { isJsonObject, type JsonObject } from '../values/json-object.ts';

/** The content that a call keeps of the attributes of a span. */
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
  const attributes = isJsonObject(extra) ? { ...known, ...extra } : known;
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
  return (key === 'input' || key === 'inputs') && isJsonObject(value) ? value : { [key]: value };
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
 * Token counts in buckets that share nothing. A producer may write both namings, and both would be added up later: then
 * only input and output stay, each taken from the other naming where its own has none.
 */
function usageOf(tree: JsonObject): Record<string, number> {
  const count = (name: TokenName) => tokens(tree, name);
  const [input, output] = [count('input_tokens'), count('output_tokens')];
  const isOld = input === undefined && output === undefined;
  const inputName = isOld ? 'prompt_tokens' : 'input_tokens';
  const outputName = isOld ? 'completion_tokens' : 'output_tokens';
  const cached = { cache_read_tokens: count('cache_read_tokens'), cache_write_tokens: count('cache_write_tokens') };
  const thought = { reasoning_tokens: count('reasoning_tokens') };
  const buckets = {
    [inputName]: withoutParts(input ?? count('prompt_tokens'), cached),
    [outputName]: withoutParts(output ?? count('completion_tokens'), thought),
    ...cached,
    ...thought,
  };
  const found = Object.values(buckets).some((bucket) => bucket !== undefined);
  const total = count('total_tokens') ?? (found ? sumOf(Object.values(buckets)) : undefined);
  const counts = Object.entries({ ...buckets, total_tokens: total });
  return Object.fromEntries(counts.flatMap(([name, bucket]) => (bucket === undefined ? [] : [[name, bucket]])));
}

/** Producers count parts within the whole; parts that are more than it were counted beside it. */
function withoutParts(
  whole: number | undefined,
  parts: Readonly<Record<string, number | undefined>>,
): number | undefined {
  const together = sumOf(Object.values(parts));
  return whole === undefined || together > whole || together < 0 ? whole : whole - together;
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
  const requested = isJsonObject(parameters) ? parameters['model'] : undefined;
  return typeof requested === 'string' && requested !== '' ? requested : 'usage';
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

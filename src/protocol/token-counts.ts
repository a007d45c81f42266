import { type JsonValue, NumberToken } from './values/canonical-json.ts';
import { bounded } from './values/bounded.ts';
import type { JsonObject } from './values/json-object.ts';

/** Tokens by what they are charged as; the kinds share none. */
export interface TokenCounts {
  readonly plainPrompt: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly plainCompletion: number;
  readonly reasoning: number;
  readonly requests: number;
  /** All of the first three, and all of the next two. */
  readonly prompt: number;
  readonly completion: number;
  /** As a producer has summed them up, or as we do. */
  readonly total: JsonValue;
}

/** Producers name their tokens in one of two ways; what is no number counts nothing. */
export function countTokens(usage: JsonObject): TokenCounts {
  const plainPrompt = sumOf(usage, 'prompt_tokens', 'input_tokens');
  const cacheRead = sumOf(usage, 'cache_read_tokens', 'cache_read_input_tokens');
  const cacheWrite = sumOf(usage, 'cache_write_tokens', 'cache_creation_input_tokens');
  const plainCompletion = sumOf(usage, 'completion_tokens', 'output_tokens');
  const reasoning = sumOf(usage, 'reasoning_tokens');
  const prompt = bounded(plainPrompt + cacheRead + cacheWrite);
  const completion = bounded(plainCompletion + reasoning);
  const { total_tokens: given } = usage;
  const total = isNumber(given) ? given : bounded(prompt + completion);
  const requests = tokensOf(usage['requests']);
  return { plainPrompt, cacheRead, cacheWrite, plainCompletion, reasoning, requests, prompt, completion, total };
}

function sumOf(usage: JsonObject, ...keys: readonly string[]): number {
  return bounded(keys.reduce((sum, key) => sum + tokensOf(usage[key]), 0));
}

/** Integers may have any length. */
function tokensOf(value: JsonValue | undefined): number {
  const count = isNumber(value) ? Number(value) : 0;
  return Number.isFinite(count) ? count : 0;
}

function isNumber(value: JsonValue | undefined): value is number | NumberToken {
  return typeof value === 'number' || value instanceof NumberToken;
}

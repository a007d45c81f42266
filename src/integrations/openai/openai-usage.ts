import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ModelUsage } from '../../tracing/instrument.ts';
import { countOf, memberOf, textOf } from '../api/json-object.ts';

/**
 * Tokens as OpenAI tells them, in both of its spellings, as buckets that share nothing: what was read from or written to
 * a cache is no input, and thinking is no output.
 */
export function openAIUsage(output: unknown, model: string): ModelUsage | undefined {
  const usage = memberOf(output, 'usage');
  if (!isObject(output) || usage === undefined) return undefined;
  const input = countOf(usage['prompt_tokens'] ?? usage['input_tokens']);
  const inputDetails = detailsOf(usage, ['prompt_tokens_details', 'input_tokens_details']);
  const cacheRead = countOf(inputDetails['cached_tokens']);
  const cacheWrite = countOf(inputDetails['cache_write_tokens']);
  const answered = countOf(usage['completion_tokens'] ?? usage['output_tokens']);
  const reasoning = countOf(
    detailsOf(usage, ['completion_tokens_details', 'output_tokens_details'])['reasoning_tokens'],
  );
  return {
    model: textOf(output['model']) ?? model,
    input: Math.max(0, input - cacheRead - cacheWrite),
    output: isBeside(reasoning, input + answered, usage) ? answered : Math.max(0, answered - reasoning),
    cacheRead,
    cacheWrite,
    reasoning,
    raw: usage,
  };
}

/** Some that speak this API count thinking beside the output, and show it in the sum. */
function isBeside(reasoning: number, sum: number, { total_tokens: total }: ParsedObject): boolean {
  return reasoning > 0 && total === sum + reasoning;
}

function detailsOf(usage: ParsedObject, names: readonly string[]): ParsedObject {
  for (const name of names) {
    const details = memberOf(usage, name);
    if (details !== undefined) return details;
  }
  return {};
}

import { isObject } from '../../protocol/values/parsed-object.ts';
import type { ModelUsage } from '../../tracing/instrument.ts';
import { countOf, memberOf, textOf } from '../api/json-object.ts';

/** Tokens as Anthropic tells them: what went through a cache stands beside the input, thinking within the output. */
export function anthropicUsage(output: unknown, model: string): ModelUsage | undefined {
  const usage = memberOf(output, 'usage');
  if (!isObject(output) || usage === undefined) return undefined;
  const reasoning = countOf(memberOf(usage, 'output_tokens_details')?.['thinking_tokens']);
  return {
    model: textOf(output['model']) ?? model,
    input: countOf(usage['input_tokens']),
    output: Math.max(0, countOf(usage['output_tokens']) - reasoning),
    cacheRead: countOf(usage['cache_read_input_tokens']),
    cacheWrite: countOf(usage['cache_creation_input_tokens']),
    reasoning,
    raw: usage,
  };
}

import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ModelUsage } from '../../tracing/instrument.ts';
import { countOf, memberOf, textOf } from '../api/json-object.ts';

export interface AskedModel {
  readonly provider: string;
  readonly modelId: string;
}

/** Tokens as the models of the AI SDK tell them: flat to version 5, and in parts since version 6. */
export function aiUsage(output: unknown, { provider, modelId }: AskedModel): ModelUsage | undefined {
  const usage = memberOf(output, 'usage');
  if (usage === undefined) return undefined;
  const model = textOf(memberOf(output, 'response')?.['modelId']) ?? modelId;
  if (typeof usage['tokens'] === 'number') return { model, input: usage['tokens'], raw: usage };
  const told = inParts(usage);
  return {
    model,
    ...(told === undefined ? flatTokens(usage, provider) : tokensOf(told)),
    raw: memberOf(usage, 'raw') ?? usage,
  };
}

interface TokensInParts {
  readonly asked: ParsedObject;
  readonly answered: ParsedObject;
}

/** Models and results tell the same parts under different names. */
function inParts(usage: ParsedObject): TokensInParts | undefined {
  const { inputTokens: asked, outputTokens: answered, inputTokenDetails: input, outputTokenDetails: output } = usage;
  if (isObject(asked) || isObject(answered)) {
    return { asked: isObject(asked) ? asked : {}, answered: isObject(answered) ? answered : {} };
  }
  if (!isObject(input) || !isObject(output)) return undefined;
  const { noCacheTokens: noCache, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite } = input;
  const { textTokens: text, reasoningTokens: reasoning } = output;
  return { asked: { total: asked, noCache, cacheRead, cacheWrite }, answered: { total: answered, text, reasoning } };
}

function tokensOf({ asked, answered }: TokensInParts) {
  const { total, noCache, cacheRead, cacheWrite } = asked;
  const { text, reasoning } = answered;
  return {
    input: noCache === undefined ? rest(total, cacheRead, cacheWrite) : countOf(noCache),
    output: text === undefined ? rest(answered['total'], reasoning) : countOf(text),
    cacheRead: countOf(cacheRead),
    cacheWrite: countOf(cacheWrite),
    reasoning: countOf(reasoning),
  };
}

/** Whether cached tokens and thinking are within the others differs from provider to provider. */
function flatTokens(usage: ParsedObject, provider: string) {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, reasoningTokens } = usage;
  const isCacheBeside = /^(anthropic|amazon-bedrock|bedrock)/.test(provider);
  const sum = countOf(inputTokens) + countOf(outputTokens);
  const isThinkingBeside = countOf(reasoningTokens) > 0 && totalTokens === sum + countOf(reasoningTokens);
  return {
    input: isCacheBeside ? countOf(inputTokens) : rest(inputTokens, cachedInputTokens),
    output: isThinkingBeside ? countOf(outputTokens) : rest(outputTokens, reasoningTokens),
    cacheRead: countOf(cachedInputTokens),
    reasoning: countOf(reasoningTokens),
  };
}

function rest(total: unknown, ...parts: readonly unknown[]): number {
  return Math.max(
    0,
    parts.reduce<number>((left, part) => left - countOf(part), countOf(total)),
  );
}

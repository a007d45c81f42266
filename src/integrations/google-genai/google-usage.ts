import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ModelUsage } from '../../tracing/instrument.ts';
import { countOf, memberOf, objectsIn, textOf } from '../api/json-object.ts';

/**
 * Tokens as Gemini tells them: those of a cache are part of the prompt, what its own tools brought in and its thinking
 * stand beside it.
 */
export function googleUsage(output: unknown, model: string): ModelUsage | undefined {
  if (!isObject(output)) return undefined;
  const usage = memberOf(output, 'usageMetadata');
  if (usage === undefined) return embeddingUsage(output, model);
  const prompt = countOf(usage['promptTokenCount']);
  const tools = countOf(usage['toolUsePromptTokenCount']);
  const cacheRead = countOf(usage['cachedContentTokenCount']);
  return {
    model: textOf(output['modelVersion']) ?? model,
    input: Math.max(0, prompt - cacheRead) + tools,
    output: countOf(usage['candidatesTokenCount']),
    cacheRead,
    reasoning: countOf(usage['thoughtsTokenCount']),
    raw: usage,
  };
}

/** Embeddings tell theirs one by one, on Vertex only. */
function embeddingUsage({ embeddings }: ParsedObject, model: string): ModelUsage | undefined {
  const raw = objectsIn(objectsIn(embeddings).map(({ statistics }) => statistics));
  if (raw.length === 0) return undefined;
  const counts = raw.map(({ tokenCount }) => countOf(tokenCount));
  return { model, input: counts.reduce((sum, count) => sum + count, 0), raw };
}

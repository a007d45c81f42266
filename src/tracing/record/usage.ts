/** Tokens of one model call. The buckets are disjoint: `input` is what was neither read from nor written to a cache. */
export interface TokenUsage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  /** Hidden thinking, where the provider counts it beside the output. */
  readonly reasoning?: number | undefined;
  /** The usage as the provider sent it, kept beside the buckets. */
  readonly raw?: unknown;
}

/** The result of a `usage` option. */
export interface ModelUsage extends TokenUsage {
  readonly model: string;
}

/** Sums per model as they stand in `summary.usage`. */
export interface UsageSum {
  requests: number;
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  cache_read_tokens?: number;
  cache_write_tokens?: number;
  reasoning_tokens?: number;
}

export type UsageByModel = Map<string, UsageSum>;

/** The usage of one request. Anything that is not a count is taken for 0. */
export function usageOf(tokens: TokenUsage): UsageSum {
  const sum: UsageSum = {
    requests: 1,
    input_tokens: count(tokens.input),
    output_tokens: count(tokens.output),
    total_tokens: 0,
  };
  const cacheRead = count(tokens.cacheRead);
  const cacheWrite = count(tokens.cacheWrite);
  const reasoning = count(tokens.reasoning);
  sum.total_tokens = sum.input_tokens + sum.output_tokens + cacheRead + cacheWrite + reasoning;
  if (cacheRead > 0) sum.cache_read_tokens = cacheRead;
  if (cacheWrite > 0) sum.cache_write_tokens = cacheWrite;
  if (reasoning > 0) sum.reasoning_tokens = reasoning;
  return sum;
}

export function addUsage(into: UsageByModel, model: string, more: UsageSum): void {
  const sum = into.get(model);
  if (sum === undefined) {
    into.set(model, { ...more });
    return;
  }
  sum.requests += more.requests;
  sum.input_tokens += more.input_tokens;
  sum.output_tokens += more.output_tokens;
  sum.total_tokens += more.total_tokens;
  for (const key of ['cache_read_tokens', 'cache_write_tokens', 'reasoning_tokens'] as const) {
    const added = more[key];
    if (added !== undefined) sum[key] = (sum[key] ?? 0) + added;
  }
}

function count(tokens: number | undefined): number {
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}

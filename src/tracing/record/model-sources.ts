/** Whom a call has asked, as far as its attributes say. */
export interface ModelSource {
  readonly provider?: string;
  readonly host?: string;
}

/** Whom the calls below have asked, by model; null: several, or nobody knows. */
export type SourcesByModel = Map<string, ModelSource | null>;

/** Prices depend on the provider, which sums by model would lose. */
export function sourceOf(attributes: unknown): ModelSource | undefined {
  if (typeof attributes !== 'object' || attributes === null) return undefined;
  const { provider, host } = attributes as Readonly<Record<string, unknown>>;
  if (typeof provider !== 'string') return undefined;
  return typeof host === 'string' ? { provider, host } : { provider };
}

/** Adds whom a child has asked, or those below it. */
export function addSource(into: SourcesByModel, model: string, source: ModelSource | null): void {
  const known = into.get(model);
  if (known === undefined) into.set(model, source);
  else if (known?.provider !== source?.provider || known?.host !== source?.host) into.set(model, null);
}

/** The sources as the summary shows them; undefined where nobody is known. */
export function shownSources(sources: SourcesByModel | undefined): Record<string, ModelSource | null> | undefined {
  if (sources === undefined || [...sources.values()].every((source) => source === null)) return undefined;
  return Object.fromEntries(sources);
}

/** The root call that a sampler decides about, before anything is captured. */
export interface SampleCandidate {
  readonly opName: string;
  readonly traceId: string;
  readonly threadId: string | undefined;
  /** `false` when a foreign parent says that its trace is not sampled; `undefined` without one. */
  readonly isParentSampled: boolean | undefined;
}

/** A rate from 0 to 1, a decision per root, or `'parent'` to follow a foreign parent's decision. */
export type Sample = number | 'parent' | ((root: SampleCandidate) => boolean);

/**
 * Decides if a root call and all below it are recorded. A rate depends on the trace id alone, so that every process
 * that sees a trace decides the same.
 */
export function isSampled(sample: Sample, root: SampleCandidate): boolean {
  if (sample === 1) return true;
  if (sample === 'parent') return root.isParentSampled ?? true;
  if (typeof sample === 'function') return sample(root);
  return fractionOf(root.traceId) < sample;
}

/** The last 13 hex digits of a trace id are random; they make an even fraction of 1. */
function fractionOf(traceId: string): number {
  return Number.parseInt(traceId.slice(-13), 16) / 16 ** 13;
}

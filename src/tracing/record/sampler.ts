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
 * that sees a trace decides the same, and what a smaller rate keeps a larger one keeps too. It is the rule of
 * OpenTelemetry's consistent probability sampling, so its samplers keep the same traces.
 */
export function isSampled(sample: Sample, root: SampleCandidate): boolean {
  if (sample === 1) return true;
  if (sample === 'parent') return root.isParentSampled ?? true;
  if (typeof sample === 'function') return sample(root);
  return randomnessOf(root.traceId) >= 1 - sample;
}

/**
 * The last 56 bits of a trace id are random (W3C Trace Context, level 2); a fraction of 1. The last four of them are
 * beyond what a number holds.
 */
function randomnessOf(traceId: string): number {
  return Number.parseInt(traceId.slice(-14, -1), 16) / 16 ** 13;
}

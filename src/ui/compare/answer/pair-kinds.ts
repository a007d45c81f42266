/** The ways in which two calls that belong together differ, in the order in which they are told; the first is none. */
export const PAIR_KINDS = [
  'same',
  'code',
  'object',
  'input',
  'model',
  'settings',
  'output',
  'only_a',
  'only_b',
] as const;

export type PairKind = (typeof PAIR_KINDS)[number];

/** How a call came to its end, as far as it did. */
export const PAIR_STATES = ['success', 'error', 'open'] as const;

export type PairState = (typeof PAIR_STATES)[number];

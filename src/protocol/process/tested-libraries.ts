/** Versions of a library that capture was tested with: from the first number up to, and without, the second. */
export interface TestedRange {
  readonly from: readonly [major: number, minor: number];
  readonly below: readonly [major: number, minor: number];
}

/** Every library that `spoor/register` captures. `docs/reference/integrations.md` has a line for each. */
export const TESTED_LIBRARIES = {
  openai: { from: [5, 0], below: [8, 0] },
  '@anthropic-ai/sdk': { from: [0, 60], below: [2, 0] },
  '@google/genai': { from: [1, 1], below: [4, 0] },
  ai: { from: [5, 0], below: [8, 0] },
  '@langchain/core': { from: [1, 4], below: [2, 0] },
  '@modelcontextprotocol/sdk': { from: [1, 13], below: [2, 0] },
} as const satisfies Readonly<Record<string, TestedRange>>;

export type TestedLibrary = keyof typeof TESTED_LIBRARIES;

/** Anything that does not begin like a version is none of them. */
export function isTested(library: TestedLibrary, version: string): boolean {
  const { from, below } = TESTED_LIBRARIES[library];
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  const is = [Number(major), Number(minor)] as const;
  return compare(from, is) <= 0 && compare(is, below) < 0;
}

export function rangeText(library: TestedLibrary): string {
  const { from, below } = TESTED_LIBRARIES[library];
  return `${from.join('.')} up to, and without, ${below.join('.')}`;
}

type Pair = readonly [number, number];

function compare(one: Pair, other: Pair): number {
  return one[0] - other[0] || one[1] - other[1];
}

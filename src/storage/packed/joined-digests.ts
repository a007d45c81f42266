import { type SharedText, textOf } from './shared-text.ts';

/** Digests of rows, a space between, in portions of many: a million texts take a fifth of a second to receive. */
export type JoinedDigests = readonly (string | SharedText)[];

/** Digests of a portion. */
const PORTION = 10_000;

/** Digests have no spaces. */
export function joinDigests(digests: readonly string[]): string {
  return digests.join(' ');
}

/** Each portion is kept before the next is made, so that not all digests are there twice. */
export function joinInPortions(
  digests: Iterable<string>,
  keepText: (text: string) => string | SharedText,
): JoinedDigests {
  const portions: (string | SharedText)[] = [];
  let portion: string[] = [];
  for (const digest of digests) {
    if (portion.push(digest) < PORTION) continue;
    portions.push(keepText(joinDigests(portion)));
    portion = [];
  }
  if (portion.length > 0) portions.push(keepText(joinDigests(portion)));
  return portions;
}

export function splitDigests(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split(' ');
}

export function* digestsByPortion(portions: JoinedDigests): Generator<readonly string[]> {
  for (const portion of portions) yield splitDigests(textOf(portion));
}

export function* digestsIn(portions: JoinedDigests): Generator<string> {
  for (const digests of digestsByPortion(portions)) yield* digests;
}

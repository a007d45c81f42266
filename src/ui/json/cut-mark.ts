import { type CutKind, cutMarkIn } from '../../protocol/values/cut-mark.ts';
import type { JsonNode } from './json-node.ts';

/** The part that recording left out, in words. */
export interface CutMark {
  /** The text that was kept in front of the mark. */
  readonly kept: string;
  readonly said: string;
}

/** `kept`: characters in front of the mark. */
type Say = (kept: number, ...counts: readonly (string | undefined)[]) => string;

const SAID: Readonly<Record<CutKind, Say>> = {
  text: (kept, count) =>
    `cut: the original has ${grouped(count)} characters, the first ${grouped(String(kept))} are kept`,
  service: () => 'cut by the service at 256 KiB',
  items: (_, rest, all) => `${grouped(rest)} more of ${grouped(all)} items, not recorded`,
  list: (_, count) => `a list of ${grouped(count)} items, not recorded: too deep or too large`,
  object: (_, count) => `an object of ${grouped(count)} keys, not recorded: too deep or too large`,
  circular: () => 'contains itself here',
  unreadable: () => 'could not be read when it was recorded',
  value: () => 'not recorded: too large',
  field: () => 'not kept: too large for the service',
};

/** The mark at the end of a text, or the text that is one. @param length of the whole text that this is the end of */
export function cutMarkOf(text: string, length = text.length): CutMark | undefined {
  const mark = cutMarkIn(text);
  if (mark === undefined) return undefined;
  const { kind, kept, counts } = mark;
  return { kept: text.slice(0, kept), said: SAID[kind](length - text.length + kept, ...counts) };
}

/** Longer objects are no note of the service. */
const LONGEST_NOTE = 100;

const TOO_LARGE = /^\{\s*"_svc":\s*\{\s*"error":\s*"(<EXCEEDS_LIMITS>)"\s*\}\s*\}$/;

/** The note that the service keeps in the place of a value that was too large, in words. */
export function notKeptAt(text: string, { kind, start, end }: JsonNode): string | undefined {
  if (kind !== 'object' || end - start > LONGEST_NOTE) return undefined;
  const [, mark] = TOO_LARGE.exec(text.slice(start, end)) ?? [];
  return mark && cutMarkOf(mark)?.said;
}

/** The text under the key `_cut` of an object of which not all members were recorded, in words. */
export function cutKeysOf(text: string): string | undefined {
  const match = /^(\d+) more of (\d+) (keys|arguments)$/.exec(text);
  return match === null ? undefined : `${grouped(match[1])} more of ${grouped(match[2])} ${match[3]}, not recorded`;
}

function grouped(digits: string | undefined): string {
  return (digits ?? '').replace(/\B(?=(?:\d{3})+$)/g, ',');
}

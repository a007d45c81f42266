import type { JsonNode } from './json-node.ts';

/** The part that recording left out, in words. */
export interface CutMark {
  /** The text that was kept in front of the mark. */
  readonly kept: string;
  readonly said: string;
}

interface Mark {
  readonly pattern: RegExp;
  /** `kept`: characters in front of the mark. */
  readonly say: (kept: number, ...groups: string[]) => string;
}

const MARKS: readonly Mark[] = [
  {
    pattern: / …\[cut: (\d+) characters\]$/,
    say: (kept, count) =>
      `cut: the original has ${grouped(count)} characters, the first ${grouped(String(kept))} are kept`,
  },
  { pattern: / …\[truncated\]$/, say: () => 'cut by the service at 256 KiB' },
  {
    pattern: /^…\[(\d+) more of (\d+) items\]$/,
    say: (_, rest, all) => `${grouped(rest)} more of ${grouped(all)} items, not recorded`,
  },
  {
    pattern: /^\[Array: (\d+) items\]$/,
    say: (_, count) => `a list of ${grouped(count)} items, not recorded: too deep or too large`,
  },
  {
    pattern: /^\[Object: (\d+) keys\]$/,
    say: (_, count) => `an object of ${grouped(count)} keys, not recorded: too deep or too large`,
  },
  { pattern: /^\[Circular\]$/, say: () => 'contains itself here' },
  { pattern: /^\[Unreadable\]$/, say: () => 'could not be read when it was recorded' },
  { pattern: /^\[cut\]$/, say: () => 'not recorded: too large' },
  { pattern: /^<EXCEEDS_LIMITS>$/, say: () => 'not kept: too large for the service' },
];

/** The mark at the end of a text, or the text that is one. @param length of the whole text that this is the end of */
export function cutMarkOf(text: string, length = text.length): CutMark | undefined {
  if (!/[\]>]$/.test(text)) return undefined;
  for (const { pattern, say } of MARKS) {
    const match = pattern.exec(text);
    if (match !== null)
      return { kept: text.slice(0, match.index), said: say(length - text.length + match.index, ...match.slice(1)) };
  }
  return undefined;
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

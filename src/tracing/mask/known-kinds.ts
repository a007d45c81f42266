import type { KeyKind } from './key-kind.ts';

interface Known {
  readonly name: string;
  readonly kind: KeyKind;
}

/** Names are remembered, because texts use the same few again and again; this bounds texts that do not. */
const MAX_KNOWN = 10_000;

/** Those that were asked for last are found by a number made of their letters. A power of two. */
const PLACES = 4096;

/** A shorter piece of a text is a copy, a longer one keeps the whole text in memory. */
const SHORTEST_SLICE = 13;

/**
 * Kinds of values by their names within texts. A known name is mostly found without a copy of it, which would take
 * most of the time that a dense text takes.
 */
export class KnownKinds {
  readonly #rule: (name: string) => KeyKind;
  /** Made when first needed, since most programs never ask some of their masks. */
  #latest: (Known | undefined)[] = [];
  #known = new Map<string, Known>();

  constructor(rule: (name: string) => KeyKind) {
    this.#rule = rule;
  }

  /** The kind of the name that stands in the text from here to there. */
  at(text: string, from: number, to: number): KeyKind {
    const place = placeOf(text, from, to);
    const latest = this.#latest[place];
    if (latest !== undefined && isAt(text, from, to, latest.name)) return latest.kind;
    const known = this.#find(text.slice(from, to));
    if (this.#latest.length === 0) this.#latest = Array.from({ length: PLACES });
    this.#latest[place] = known;
    return known.kind;
  }

  #find(name: string): Known {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known = new Map();
    const kept = { name: copied(name), kind: this.#rule(name) };
    this.#known.set(kept.name, kept);
    return kept;
  }
}

function copied(name: string): string {
  return name.length < SHORTEST_SLICE ? name : Buffer.from(name, 'utf16le').toString('utf16le');
}

function placeOf(text: string, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 12)) & (PLACES - 1);
}

function isAt(text: string, from: number, to: number, name: string): boolean {
  if (name.length !== to - from) return false;
  for (let at = from; at < to; at++) if (name.charCodeAt(at - from) !== text.charCodeAt(at)) return false;
  return true;
}

import { compareCodePoints } from '../../protocol/values/canonical-json.ts';

/**
 * So many of the ids that come, chosen by a chance that is the same each time, whatever order they come in. Twice as many are held at
 * most, and the rest are counted.
 */
export class IdSample {
  readonly #limit: number;
  #kept: Drawn[] = [];
  /** No id of this hash or a greater one is among so many. */
  #edge = Infinity;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Ids that have come, each of which must come once. */
  get count(): number {
    return this.#count;
  }

  add(id: string): void {
    this.#count += 1;
    const hash = hashOf(id);
    if (hash > this.#edge) return;
    this.#kept.push({ hash, id });
    if (this.#kept.length >= 2 * this.#limit) this.#cut();
  }

  /** The chosen ones in the order of that chance: of a part from the front on the same is true. */
  ids(): string[] {
    this.#cut();
    return this.#kept.map(({ id }) => id);
  }

  #cut(): void {
    this.#kept.sort((left, right) => left.hash - right.hash || compareCodePoints(left.id, right.id));
    if (this.#kept.length < this.#limit) return;
    this.#kept = this.#kept.slice(0, this.#limit);
    this.#edge = this.#kept.at(-1)?.hash ?? -1;
  }
}

interface Drawn {
  readonly hash: number;
  readonly id: string;
}

/** 32 bits, each of which changes with every character: FNV-1a, by its authors in the public domain, with the end of MurmurHash3. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** So many bits tell texts apart; with many more texts than that their number is not known well any more. */
const BITS = 2 ** 20;

/** Of longer keys only the beginning is looked at: they are long for what they take. */
const LOOKED_AT = 32;

/** So few are not worth a table. */
const FEW = 1000;

/**
 * About how many different keys a text has. The parser makes a description of objects for each, however small they are,
 * which takes more memory than the objects. Keys are not kept: of each its hash sets one bit.
 */
export class DistinctKeys {
  #bits: Uint8Array | undefined;
  #added = 0;
  #set = 0;

  /** A key stands between two places of a body. */
  add(body: Buffer, start: number, end: number): void {
    this.#added += 1;
    if (this.#added <= FEW) return;
    this.#bits ??= new Uint8Array(BITS / 8);
    const hash = hashOf(body, start, Math.min(end, start + LOOKED_AT)) % BITS;
    const before = this.#bits[hash >>> 3] ?? 0;
    const after = before | (1 << (hash & 7));
    if (after === before) return;
    this.#bits[hash >>> 3] = after;
    this.#set += 1;
  }

  /** Where several keys set the same bit, as many are assumed as would do so on average. */
  get count(): number {
    return Math.round(-BITS * Math.log1p(-Math.min(this.#set, BITS - 1) / BITS));
  }
}

/** FNV-1a, and its bits mixed once more: keys of one kind differ in their last character only. */
function hashOf(body: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ (body[index] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * Puts so many items to the front, chosen by a chance that is the same each time, in the order of that chance: of a part from
 * the front on the same is true. Changes the list and returns that part.
 */
export function sampleOf<Item>(items: Item[], limit: number): Item[] {
  const random = randomOf(SEED);
  const count = Math.min(limit, items.length);
  for (let place = 0; place < count; place++) {
    const other = place + Math.floor(random() * (items.length - place));
    const [moved, chosen] = [items[place], items[other]];
    // Both places are within the list.
    items[other] = moved as Item;
    items[place] = chosen as Item;
  }
  return items.slice(0, count);
}

const SEED = 0x5eed;

/** Numbers from 0 to below 1: mulberry32, by Tommy Ettinger, in the public domain. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

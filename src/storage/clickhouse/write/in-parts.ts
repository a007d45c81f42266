/** Ids that a statement asks for at once. */
const MAX_ITEMS = 5000;

/** The results for many items, asked for in parts of bounded size. */
export async function inParts<Item, Found>(
  items: readonly Item[],
  read: (part: readonly Item[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let index = 0; index < items.length; index += MAX_ITEMS) {
    // More than a call has arguments may be found of few items.
    for (const one of await read(items.slice(index, index + MAX_ITEMS))) found.push(one);
  }
  return found;
}

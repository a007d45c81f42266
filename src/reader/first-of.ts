/** The first of what is asked for, and no more of it; `undefined` where there is none. */
export async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}

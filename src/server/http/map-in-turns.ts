import { Turns } from './turns.ts';

/** Maps the items of a request that may have very many of them, one after the other; other requests go on meanwhile. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const turns = new Turns();
  for (const [index, item] of items.entries()) {
    const result = map(item, index);
    results.push(result instanceof Promise ? await result : result);
    if (turns.isOver) await turns.next();
  }
  return results;
}

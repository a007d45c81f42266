import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work on one request before others have their turn. */
const TURN_MS = 10;

/** Maps the items of a request that may have very many of them, one after the other; other requests go on meanwhile. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let turnEnd = performance.now() + TURN_MS;
  for (const [index, item] of items.entries()) {
    const result = map(item, index);
    results.push(result instanceof Promise ? await result : result);
    if (performance.now() < turnEnd) continue;
    await setImmediate();
    turnEnd = performance.now() + TURN_MS;
  }
  return results;
}

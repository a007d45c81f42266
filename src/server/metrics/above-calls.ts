import type { PricedRead, StoredHolder } from './priced-read.ts';

/**
 * Calls above one, as far as they say who counts its usage: one that has usage itself counts it with its own; one that
 * runs may do so when it ends; where all have ended without (`silent`), or there is nothing (`root`), nobody does.
 */
export type Above = 'user' | 'running' | 'silent' | 'root';

/** Looks above those of the calls that are stored. */
export async function lookAbove(
  read: Pick<PricedRead, 'holders'>,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, Above>> {
  const known = await readUpwards(read, callIds);
  const above = new Map<string, Above>();
  for (const id of callIds) {
    const call = known.get(id);
    if (call !== undefined) above.set(id, aboveOf(id, call, known));
  }
  return above;
}

/** All that is needed level by level, as calls mostly share what is above them. */
async function readUpwards(
  read: Pick<PricedRead, 'holders'>,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, StoredHolder>> {
  const known = new Map<string, StoredHolder>();
  const asked = new Set(callIds);
  for (let level: readonly string[] = callIds; level.length > 0;) {
    const found = await read.holders(level);
    const next = new Set<string>();
    for (const [id, holder] of found) {
      known.set(id, holder);
      // Whatever ends the walk needs nothing above it.
      if (level !== callIds && wordOf(holder) !== undefined) continue;
      if (holder.parentId !== null && !asked.has(holder.parentId)) next.add(holder.parentId);
    }
    for (const id of next) asked.add(id);
    level = [...next];
  }
  return known;
}

function aboveOf(id: string, call: StoredHolder, known: ReadonlyMap<string, StoredHolder>): Above {
  if (call.parentId === null) return 'root';
  // A call that is its own ancestor has been passed.
  const passed = new Set([id]);
  for (let at: string | null = call.parentId; at !== null && !passed.has(at);) {
    passed.add(at);
    const holder = known.get(at);
    if (holder === undefined) break;
    const word = wordOf(holder);
    if (word !== undefined) return word;
    at = holder.parentId;
  }
  return 'silent';
}

function wordOf({ hasUsage, hasEnded }: StoredHolder): 'user' | 'running' | undefined {
  if (hasUsage) return 'user';
  return hasEnded ? undefined : 'running';
}

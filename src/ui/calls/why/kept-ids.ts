/** Servers refuse addresses that are far longer, and mail programs cut them; a filter needs room beside it. */
const MAX_CHARACTERS = 1500;

/** The ids that were too many for an address, the last ones. */
let kept: readonly string[] = [];

/** As an address names calls: by their ids, or, where these are too many, by how many are kept here. */
export function addressOfIds(ids: readonly string[]): readonly string[] {
  if (ids.join().length <= MAX_CHARACTERS) return ids;
  kept = ids;
  return markOf(ids);
}

/** The ids that an address names; undefined: they were kept in a page that is gone, or others are kept since. */
export function idsOfAddress(of: readonly string[]): readonly string[] | undefined {
  if (keptCountOf(of) === 0) return of;
  return of.join() === markOf(kept).join() ? kept : undefined;
}

/** How many calls are meant that the address does not name; 0: it names all. */
export function keptCountOf([first = '']: readonly string[]): number {
  return first.startsWith('~') ? Number(first.slice(1)) || 1 : 0;
}

function markOf(ids: readonly string[]): readonly string[] {
  return [`~${ids.length}`, ids[0] ?? ''];
}

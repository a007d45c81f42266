/** Ids that are not longer stay whole. */
const LONGEST_WHOLE = 12;
/** Ids of one machine begin alike, and their ends are random: so many digits are hardly ever those of another one. */
const LEAST = 8;

/** For each of some ids the shortest end, of eight characters at least, that no other of them has; `spoor show` takes it. */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const known = new Set(ids);
  const taken = new Map<string, number>();
  for (const id of known) for (const end of endsOf(id)) taken.set(end, (taken.get(end) ?? 0) + 1);
  return (id) => (id.length <= LONGEST_WHOLE ? id : (endsOf(id).find((end) => (taken.get(end) ?? 0) <= 1) ?? id));
}

/** From the shortest to the longest. */
function endsOf(id: string): string[] {
  return Array.from({ length: Math.max(0, id.length - LEAST + 1) }, (_end, more) => id.slice(-(LEAST + more)));
}

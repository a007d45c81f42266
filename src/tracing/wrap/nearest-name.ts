/** The name that was meant by one with a mistake in it; `undefined` when none is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const wanted = plain(name);
  const near = names
    .map((each) => ({ each, mistakes: mistakesBetween(wanted, plain(each)) }))
    .filter(({ each, mistakes }) => mistakes <= Math.min(3, Math.floor(each.length / 2)))
    .sort((one, other) => one.mistakes - other.mistakes);
  return near[0]?.each;
}

/** Nobody remembers what stands between the words of a name. */
function plain(name: string): string {
  return name
    .slice(0, 50)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

/** How many letters have to be put in, taken out or changed to make one name of the other. */
function mistakesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

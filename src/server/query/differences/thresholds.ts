/** Parts of equally many calls that edges lie between. */
const PARTS = 8;

/** More digits of an edge would say nothing to people. */
const DIGITS = 3;

/**
 * Edges that numbers are compared with: those at the eighths of both sides together, each of which counts as much as the
 * other, however many calls it has, and the next ones above. They do not know which number is of which side, so that chance
 * stays what it is.
 */
export function edgesOf(one: Float64Array, other: Float64Array, isWhole: boolean): number[] {
  const [left, right] = [one.toSorted(), other.toSorted()];
  const least = Math.min(left[0] ?? Infinity, right[0] ?? Infinity);
  const edges = new Set<number>();
  // Numbers below, on each side.
  let [below, above] = [0, 0];
  let part = 0;
  let wasReached = false;
  while (below < left.length || above < right.length) {
    const number = Math.min(left[below] ?? Infinity, right[above] ?? Infinity);
    if (wasReached) edges.add(rounded(number, isWhole));
    while (left[below] === number) below += 1;
    while (right[above] === number) above += 1;
    const reached = Math.floor(PARTS * shareBelow([below, left.length], [above, right.length]));
    wasReached = reached > part;
    if (wasReached) edges.add(rounded(number, isWhole));
    part = reached;
  }
  // What is true of all that have the number says only that they have one.
  return [...edges].filter((edge) => edge > least);
}

type Below = readonly [below: number, count: number];

function shareBelow(...sides: readonly Below[]): number {
  const shares = sides.filter(([, count]) => count > 0).map(([below, count]) => below / count);
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function rounded(number: number, isWhole: boolean): number {
  const short = Number(number.toPrecision(DIGITS));
  return isWhole ? Math.max(1, Math.round(short)) : short;
}

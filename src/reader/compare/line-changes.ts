import { commonSubsequence } from './common-subsequence.ts';

/** A line of two texts: in both, or in one of them alone. */
export interface ComparedLine {
  readonly side: 'both' | 'a' | 'b';
  readonly text: string;
}

/** The lines of two texts in order, those that only A has before those that only B has. */
export function compareLines(a: string, b: string): ComparedLine[] {
  const [before, after] = [a.split('\n'), b.split('\n')];
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const common = commonSubsequence(before.map(numberOf), after.map(numberOf));
  const lines: ComparedLine[] = [];
  let [nextA, nextB] = [0, 0];
  for (let place = 0; place <= common.a.length; place++) {
    const [endA, endB] = [common.a[place] ?? before.length, common.b[place] ?? after.length];
    for (const text of before.slice(nextA, endA)) lines.push({ side: 'a', text });
    for (const text of after.slice(nextB, endB)) lines.push({ side: 'b', text });
    const text = before[endA];
    if (place < common.a.length && text !== undefined) lines.push({ side: 'both', text });
    [nextA, nextB] = [endA + 1, endB + 1];
  }
  return lines;
}

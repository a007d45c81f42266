import { digestsByPortion, type JoinedDigests } from './joined-digests.ts';

/** Digests of the rows of a table from one of them on: of the rest at least one, where there is a rest. */
export interface DigestPortion {
  /** Rows of the whole table. */
  readonly count: number;
  readonly digests: JoinedDigests;
}

/** The digests of all rows of a table, which nobody has at once: a million of them take 60 MB. */
export interface DigestList {
  readonly length: number;
  /** In order; each is asked for when its turn comes, so they are gone through once. */
  readonly portions: AsyncIterable<readonly string[]>;
}

/** A portion from a row on; `undefined` where there is no such table. */
type ReadPortion = (from: number) => Promise<DigestPortion | undefined>;

/** `undefined` where there is no such table. */
export async function listDigests(read: ReadPortion): Promise<DigestList | undefined> {
  const first = await read(0);
  return first && { length: first.count, portions: portionsOf(first, read) };
}

/** A table never changes, so its portions are of one moment. */
async function* portionsOf(first: DigestPortion, read: ReadPortion): AsyncGenerator<readonly string[]> {
  let from = 0;
  for (let portion: DigestPortion | undefined = first; ; portion = await read(from)) {
    const before = from;
    for (const digests of digestsByPortion(portion?.digests ?? [])) {
      from += digests.length;
      yield digests;
    }
    if (from >= first.count) return;
    if (from === before) throw new Error(`Cannot read the table: it ends after ${from} of ${first.count} rows`);
  }
}

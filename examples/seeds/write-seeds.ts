import type { Reader } from 'spoor/reader';
import { SEEDS } from './all-seeds.ts';

const LARGE: readonly string[] = ['10k', '100k'];

/** Writes seeds by their names, one after another, and says at which page of the project each is to be seen. */
export async function writeSeeds(reader: Reader, names: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const name of meant(names)) {
    const seed = SEEDS[name];
    if (seed === undefined) throw new Error(`There is no seed "${name}": want ${Object.keys(SEEDS).join(', ')} or all`);
    paths.push(await seed.write(reader, Date.now()));
  }
  return paths;
}

function meant(names: readonly string[]): readonly string[] {
  if (!names.includes('all')) return names;
  return Object.keys(SEEDS).filter((name) => !LARGE.includes(name) || names.includes(name));
}

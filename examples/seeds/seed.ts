import type { Reader } from 'spoor/reader';

/** Made-up records of one kind, to look at the page with. */
export interface Seed {
  /** What is to be seen, in a few words. */
  readonly about: string;
  /** Writes it, as if it had just happened, and says at which page of the project it is to be seen. */
  readonly write: (reader: Reader, now: number) => Promise<string>;
}

import type { Fact } from './group-writer.ts';

/** As many ids are tens of megabytes: who writes more waits until those are looked at. */
const MAX_IDS = 500_000;

/** Calls that were written since a read, and are left for the look while no group is written. */
const MAX_LEFT = 1000;

export interface LongRead<Found> {
  readonly read: () => Promise<Found>;
  /** The same with what is to be found of calls that were written since. */
  readonly readSince: (found: Found, ids: readonly string[]) => Promise<Found>;
}

/** Reads beside groups that are written, until little that was written is not read; or until more is written than is read. */
export async function readBeside<Found>(written: WrittenSince, { read, readSince }: LongRead<Found>): Promise<Found> {
  let found = await read();
  for (let before = Infinity; written.count > MAX_LEFT && written.count < before;) {
    before = written.count;
    found = await readSince(found, written.take());
  }
  return found;
}

/** The calls of a project that groups have written since a read has begun: what it found of those may be old. */
export class WrittenSince {
  readonly #projectId: string;
  readonly #maxIds: number;
  #ids = new Set<string>();
  #goOn = () => {};

  constructor(projectId: string, maxIds = MAX_IDS) {
    this.#projectId = projectId;
    this.#maxIds = maxIds;
  }

  get count(): number {
    return this.#ids.size;
  }

  add(facts: readonly Fact[]): void {
    for (const { project_id: projectId, id } of facts) if (projectId === this.#projectId) this.#ids.add(id);
  }

  /** Those that nobody has looked at, who does so now. */
  take(): readonly string[] {
    const taken = [...this.#ids];
    this.#ids = new Set();
    this.#goOn();
    return taken;
  }

  /** Resolves when there are few enough that more may be written, for the one who writes. */
  async hasRoom(): Promise<void> {
    while (this.#ids.size > this.#maxIds) await new Promise<void>((resolve) => (this.#goOn = resolve));
  }
}

import { TracingError } from '../../../protocol/error.ts';
import type { Fact } from './group-writer.ts';

/** As many ids are tens of megabytes: a read in whose time more is written is given up, as nobody who writes waits for it. */
const MAX_IDS = 500_000;

/** Calls that were written since a read, and are left for the look while no group is written. */
const MAX_LEFT = 1000;
/** Facts of one group. */
export const MAX_GROUP = 10_000;
/** As many are looked at then at most: the group that is being written before its turn comes is looked at by nobody else. */
const MAX_ALONE = MAX_LEFT + MAX_GROUP;

export interface LongRead<Found> {
  readonly read: (signal: AbortSignal) => Promise<Found>;
  /** The same with what is to be found of calls that were written since. */
  readonly readSince: (found: Found, ids: readonly string[], signal: AbortSignal) => Promise<Found>;
  /**
   * The same while no group is written: undefined where that would take long, and more is to be read beside groups. Where it is absent
   * a read of what was written since never takes long.
   */
  readonly readSoon?: (found: Found, ids: readonly string[], signal: AbortSignal) => Promise<Found | undefined>;
  /** The words of the error of a read that is given up. */
  readonly givenUp: GivenUp;
}

export interface GivenUp {
  /** The refusal: `Cannot …`. */
  readonly failed: string;
  /** The way out, told behind it. */
  readonly advice: string;
}

/**
 * Reads beside groups that are written, until little that was written is not read; or until more is written than is read. Rejects
 * with `unavailable` where it is given up.
 */
export async function readBeside<Found>(written: WrittenSince, reads: LongRead<Found>): Promise<Found> {
  return await readRest(written, await reads.read(written.signal), reads);
}

/** The same after a read. */
export async function readRest<Found>(
  written: WrittenSince,
  read: Found,
  { readSince }: Pick<LongRead<Found>, 'readSince'>,
): Promise<Found> {
  const { signal } = written;
  let found = read;
  for (let before = Infinity; written.count > MAX_LEFT && written.count < before;) {
    before = written.count;
    found = await readSince(found, written.take(), signal);
  }
  return found;
}

interface WrittenOptions {
  readonly givenUp: GivenUp;
  /** @default 500,000 */
  readonly maxIds?: number | undefined;
}

/** The calls of a project that groups have written since a read has begun: what it found of those may be old. */
export class WrittenSince {
  readonly #projectId: string;
  readonly #maxIds: number;
  readonly #givenUp: GivenUp;
  readonly #controller = new AbortController();
  #ids = new Set<string>();

  constructor(projectId: string, { givenUp, maxIds = MAX_IDS }: WrittenOptions) {
    this.#projectId = projectId;
    this.#givenUp = givenUp;
    this.#maxIds = maxIds;
  }

  get count(): number {
    return this.#ids.size;
  }

  /** Is more left than is looked at while no group is written? */
  get isMuch(): boolean {
    return this.#ids.size > MAX_ALONE;
  }

  /** Ends the read when more was written than is held for it; the reason is the error that it rejects with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  add(facts: readonly Fact[]): void {
    if (this.signal.aborted) return;
    for (const { project_id: projectId, id } of facts) if (projectId === this.#projectId) this.#ids.add(id);
    if (this.#ids.size <= this.#maxIds) return;
    this.giveUp(`more than ${this.#maxIds} calls were written while what is to go was looked for`);
  }

  /** Ends the read, and throws at the next look. */
  giveUp(reason: string): void {
    const { failed, advice } = this.#givenUp;
    this.#ids = new Set();
    this.#controller.abort(new TracingError('unavailable', `${failed}: ${reason}; ${advice}`));
  }

  /** Those that nobody has looked at, who does so now. Throws where the read was given up. */
  take(): readonly string[] {
    this.signal.throwIfAborted();
    const taken = [...this.#ids];
    this.#ids = new Set();
    return taken;
  }
}

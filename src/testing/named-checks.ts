import { strict as assert } from 'node:assert';
import type { TransparencyRunner } from './transparency/subject.ts';

/** The checks of a kit in the runner that it was given: each has a name of its own, and may be excused or lack something. */
export class NamedChecks {
  readonly #test: TransparencyRunner['test'];
  readonly #excused: Readonly<Record<string, string>>;
  readonly #names = new Set<string>();

  /** `excused`: checks that are known to fail, with the reason. */
  constructor(test: TransparencyRunner['test'], excused: Readonly<Record<string, string>>) {
    this.#test = test;
    this.#excused = excused;
  }

  get count(): number {
    return this.#names.size;
  }

  /** States a fact. An excused one must fail, so that an excuse goes when it is no longer needed. */
  state(name: string, run: () => Promise<void>): void {
    this.#add(name);
    const reason = this.#excused[name];
    if (reason === undefined) this.#test(name, run);
    else this.#test(`${name} (excused: ${reason})`, () => failing(run, name));
  }

  /**
   * States a fact that cannot be checked, since whoever is under test gives no `missing`: shown as skipped, with that as
   * its reason, never as passed. A runner that cannot skip shows it as failed.
   */
  skip(name: string, missing: string): void {
    this.#add(name);
    // Runners of others may have no `skip`; the check then fails, and says why.
    const skip = this.#test.skip ?? this.#test;
    skip(`${name} (needs ${missing})`, async () => {
      assert.fail(`Cannot check it without ${missing}, and the runner cannot skip`);
    });
  }

  /** States that every excuse names a check; comes last. */
  stateExcuses(): void {
    this.#test('every excuse names a check', async () => {
      const idle = Object.keys(this.#excused).filter((name) => !this.#names.has(name));
      assert.deepEqual(idle, []);
    });
  }

  #add(name: string): void {
    assert(!this.#names.has(name), `Two checks are named "${name}"`);
    this.#names.add(name);
  }
}

async function failing(run: () => Promise<void>, name: string): Promise<void> {
  const hasFailed = await run().then(
    () => false,
    () => true,
  );
  assert(hasFailed, `The check "${name}" passes now: remove its excuse`);
}

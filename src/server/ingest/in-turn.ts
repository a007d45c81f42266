/**
 * Does one thing after the other where they have to do with the same project. Work has no limit of its own: what waits
 * here is what requests wait for, which the service bounds.
 */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves, or rejects, with what the work does. */
  async run<Result>(projectIds: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const before = projectIds.map(async (id) => await this.#last.get(id));
    const done = Promise.allSettled(before).then(work);
    for (const id of projectIds) this.#last.set(id, done);
    try {
      return await done;
    } finally {
      for (const id of projectIds) if (this.#last.get(id) === done) this.#last.delete(id);
    }
  }
}

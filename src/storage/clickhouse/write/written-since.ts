import type { Fact } from './group-writer.ts';

/** The calls of a project that groups have written since a read has begun: what it found of those may be old. */
export class WrittenSince {
  readonly #projectId: string;
  readonly #ids = new Set<string>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  add(facts: readonly Fact[]): void {
    for (const { project_id: projectId, id } of facts) if (projectId === this.#projectId) this.#ids.add(id);
  }
}

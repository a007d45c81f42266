/** Records by their project and id. */
export class Shelf<T> {
  readonly #projects = new Map<string, Map<string, T>>();

  get(project: string, id: string): T | undefined {
    return this.#projects.get(project)?.get(id);
  }

  put(project: string, id: string, record: T): void {
    const records = this.#projects.get(project) ?? new Map<string, T>();
    this.#projects.set(project, records.set(id, record));
  }

  remove(project: string, id: string): boolean {
    return this.#projects.get(project)?.delete(id) ?? false;
  }

  all(project: string): T[] {
    return [...(this.#projects.get(project)?.values() ?? [])];
  }
}

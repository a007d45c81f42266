/**
 * Stands for the cache of mutations that each query client makes: the page has none, changes are plain requests. It answers
 * what the client itself asks of that cache.
 */
export class MutationCache {
  getAll(): readonly never[] {
    return [];
  }

  findAll(): readonly never[] {
    return [];
  }

  clear(): void {
    // There is nothing in it.
  }

  async resumePausedMutations(): Promise<void> {
    // None was begun.
  }
}

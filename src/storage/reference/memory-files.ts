import type { FileStore, StoredFile } from '../contract/files.ts';

export class MemoryFiles implements FileStore {
  readonly #files = new Map<string, StoredFile>();

  async create(file: StoredFile): Promise<void> {
    const key = keyOf(file.project_id, file.digest);
    if (!this.#files.has(key)) this.#files.set(key, copyOf(file));
  }

  async get(projectId: string, digest: string): Promise<StoredFile | undefined> {
    const file = this.#files.get(keyOf(projectId, digest));
    return file === undefined ? undefined : copyOf(file);
  }

  async totalBytes(projectId: string): Promise<number> {
    const files = [...this.#files.values()].filter((file) => file.project_id === projectId);
    return files.reduce((total, { bytes }) => total + bytes.length, 0);
  }
}

/** Bytes can be written to by whoever holds them, so nobody shares ours. */
function copyOf(file: StoredFile): StoredFile {
  return { ...file, bytes: Uint8Array.from(file.bytes) };
}

function keyOf(projectId: string, digest: string): string {
  return JSON.stringify([projectId, digest]);
}

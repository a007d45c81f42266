import type { FileStore, StoredFile } from '../contract/files.ts';
import { bind, sql } from '../sql/sql.ts';
import type { Connection } from './connection.ts';
import { nextTime } from './write/version-clock.ts';

/** Versions fall as time goes on: the first name of a file stays. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

export class ClickhouseFiles implements FileStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async create({ project_id, digest, name, bytes }: StoredFile): Promise<void> {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    const row = { project_id, digest, name: name.toWellFormed(), content, size: bytes.length };
    await this.#connection.insert('files', [{ ...row, ver: END_OF_TIME - nextTime() }]);
  }

  async get(projectId: string, digest: string): Promise<StoredFile | undefined> {
    const [row] = await this.#connection.all<{ name: string; content: string }>(
      sql`SELECT name, content FROM files FINAL WHERE project_id = ${bind(projectId)} AND digest = ${bind(digest)}`,
    );
    // Copied: a small buffer is part of one that others share.
    return (
      row && {
        project_id: projectId,
        digest,
        name: row.name,
        bytes: Uint8Array.from(Buffer.from(row.content, 'base64')),
      }
    );
  }

  async totalBytes(projectId: string): Promise<number> {
    const [row] = await this.#connection.all<{ bytes: number }>(
      sql`SELECT sum(size) AS bytes FROM files FINAL WHERE project_id = ${bind(projectId)}`,
    );
    return row?.bytes ?? 0;
  }
}

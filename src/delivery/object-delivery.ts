import type { FileRecord, ObjectRecord } from '../protocol/record.ts';
import { fileLine, objectLine, type SpooledObject } from '../spool/segment-format.ts';
import type { Connection, DeliveryResult } from './connection.ts';

const MAX_KNOWN_FILES = 10_000;

/** Sends objects after the files they name; a file that was sent once is not sent again. */
export class ObjectDelivery {
  readonly #known = new Set<string>();

  async deliver(connection: Connection, object: ObjectRecord): Promise<DeliveryResult> {
    for (const file of object.files) {
      const result = await this.deliverFile(connection, file);
      if (result.kind !== 'accepted') return result;
    }
    return this.deliverObject(connection, object);
  }

  async deliverFile(connection: Connection, { projectId, name, digest, bytes }: FileRecord): Promise<DeliveryResult> {
    const key = `${connection.target.url} ${projectId} ${digest}`;
    if (this.#known.has(key)) return { kind: 'accepted' };
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    const body = Buffer.from(JSON.stringify({ project_id: projectId, name, content }));
    const result = await connection.deliver({ path: '/file/create', body, acknowledgement: 'digest' });
    if (result.kind === 'accepted') this.#remember(key);
    return result;
  }

  async deliverObject(connection: Connection, { projectId, objectId, val }: SpooledObject): Promise<DeliveryResult> {
    const body = Buffer.from(JSON.stringify({ obj: { project_id: projectId, object_id: objectId, val } }));
    return connection.deliver({ path: '/obj/create', body, acknowledgement: 'digest' });
  }

  #remember(key: string): void {
    if (this.#known.size >= MAX_KNOWN_FILES) this.#known.clear();
    this.#known.add(key);
  }
}

export function linesOf(object: ObjectRecord): Buffer {
  return Buffer.from([...object.files.map(fileLine), objectLine(object)].join(''));
}

export function objectRefusalMessage(name: string, reason: string): string {
  return `The service refused the object "${name}": ${reason}`;
}

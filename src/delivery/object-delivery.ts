import type { FileRecord, ObjectRecord, TableRecord } from '../protocol/record.ts';
import type { SpooledObject, SpooledTable } from '../spool/segment-format.ts';
import type { Connection, DeliveryResult, Post } from './connection.ts';
import { fileForm, MAX_JSON_FILE_BYTES } from './file-form.ts';
import { piecesOf, type TablePiece } from './table-pieces.ts';

const MAX_KNOWN = 10_000;
/** A large file may never get through, while all else does: it must not hold that back. */
const MAX_ATTEMPTS = 3;
const ACCEPTED: DeliveryResult = { kind: 'accepted' };

/** Sends objects after the files they name, tables and files; what has a digest and was sent once is not sent again. */
export class ObjectDelivery {
  /** Files and tables that a service has acknowledged. */
  readonly #known = new Set<string>();

  async deliver(connection: Connection, object: ObjectRecord): Promise<DeliveryResult> {
    for (const file of object.files) {
      const result = await this.deliverFile(connection, file);
      if (result.kind !== 'accepted') return result;
    }
    return this.deliverObject(connection, object);
  }

  async deliverFile(connection: Connection, file: FileRecord): Promise<DeliveryResult> {
    const key = keyOf(connection, file);
    if (this.#known.has(key)) return ACCEPTED;
    const sent = file.bytes.length > MAX_JSON_FILE_BYTES ? fileForm(file) : { body: jsonOf(file) };
    const result = await post(connection, { path: '/file/create', ...sent });
    if (result.kind === 'accepted') this.#remember(key);
    return result;
  }

  async deliverObject(connection: Connection, { projectId, objectId, val }: SpooledObject): Promise<DeliveryResult> {
    const body = Buffer.from(JSON.stringify({ obj: { project_id: projectId, object_id: objectId, val } }));
    return post(connection, { path: '/obj/create', body });
  }

  /** Sends what the service does not have: only the new rows when it has acknowledged the base. */
  async deliverTable(connection: Connection, table: TableRecord): Promise<DeliveryResult> {
    const { projectId, base } = table;
    if (this.#known.has(keyOf(connection, table))) return ACCEPTED;
    if (base && this.#known.has(keyOf(connection, { projectId, digest: base.digest }))) {
      const result = await this.#deliverPieces(connection, table, true);
      // A service that lost the base meanwhile gets the whole.
      if (result.kind !== 'refused') return result;
    }
    return this.#deliverPieces(connection, table, false);
  }

  /** One line of a segment. */
  deliverSpooledTable(connection: Connection, { rows, ...piece }: SpooledTable): Promise<DeliveryResult> {
    return this.#deliverPiece(connection, { ...piece, rowTexts: rows.map((row) => JSON.stringify(row)) });
  }

  async #deliverPieces(connection: Connection, table: TableRecord, isBaseKnown: boolean): Promise<DeliveryResult> {
    for (const piece of piecesOf(table, isBaseKnown)) {
      if (piece === undefined) {
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      const result = await this.#deliverPiece(connection, piece);
      if (result.kind !== 'accepted') return result;
    }
    return ACCEPTED;
  }

  async #deliverPiece(connection: Connection, piece: TablePiece): Promise<DeliveryResult> {
    const { base, isLast } = piece;
    const path = base === undefined ? '/table/create' : '/table/update';
    const body = base === undefined ? createBody(piece) : updateBody(piece, base);
    const result = await post(connection, { path, body });
    if (result.kind === 'accepted' && isLast) this.#remember(keyOf(connection, piece));
    return result;
  }

  #remember(key: string): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.add(key);
  }
}

export function objectRefusalMessage(name: string, reason: string): string {
  return `The service refused the object "${name}": ${reason}`;
}

function post(connection: Connection, request: Pick<Post, 'path' | 'body' | 'contentType'>): Promise<DeliveryResult> {
  return connection.deliver({ ...request, acknowledgement: 'digest', maxAttempts: MAX_ATTEMPTS });
}

function jsonOf({ projectId, name, bytes }: FileRecord): Buffer {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return Buffer.from(JSON.stringify({ project_id: projectId, name, content }));
}

function keyOf({ target }: Connection, { projectId, digest }: { projectId: string; digest: string }): string {
  return `${target.url} ${projectId} ${digest}`;
}

function createBody({ projectId, rowTexts }: TablePiece): Buffer {
  return Buffer.from(`{"table":{"project_id":${JSON.stringify(projectId)},"rows":[${rowTexts.join(',')}]}}`);
}

function updateBody({ projectId, rowTexts }: TablePiece, base: string): Buffer {
  const head = `"project_id":${JSON.stringify(projectId)},"base_digest":${JSON.stringify(base)}`;
  return Buffer.from(`{${head},"updates":[${rowTexts.map((text) => `{"append":{"row":${text}}}`).join(',')}]}`);
}

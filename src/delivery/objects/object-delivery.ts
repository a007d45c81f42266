import { setImmediate } from '../../host/timers.ts';
import type { FileRecord, ObjectRecord, TableRecord } from '../../protocol/record.ts';
import type { Connection, DeliveryResult } from '../transport/service-connection.ts';
import { filePost, objectPost, publicationPost, tablePiecePost } from './object-post.ts';
import type { SpooledPublication } from '../spooled/segment-parts.ts';
import { piecesOf, type TablePiece } from './table-pieces.ts';

const MAX_KNOWN = 10_000;
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
    return connection.deliver(objectPost(object));
  }

  async deliverFile(connection: Connection, file: FileRecord): Promise<DeliveryResult> {
    const key = keyOf(connection, file);
    if (this.#known.has(key)) return ACCEPTED;
    const result = await connection.deliver(filePost(file));
    if (result.kind === 'accepted') this.#remember(key);
    return result;
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
  async deliverSpooled(connection: Connection, record: SpooledPublication): Promise<DeliveryResult> {
    if (record.kind === 'file') return this.deliverFile(connection, record.file);
    const result = await connection.deliver(publicationPost(record));
    if (record.kind === 'table') this.#rememberPiece(connection, record.table, result);
    return result;
  }

  async #deliverPieces(connection: Connection, table: TableRecord, isBaseKnown: boolean): Promise<DeliveryResult> {
    for (const piece of piecesOf(table, isBaseKnown)) {
      if (piece === undefined) {
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      const result = await connection.deliver(tablePiecePost(piece));
      this.#rememberPiece(connection, piece, result);
      if (result.kind !== 'accepted') return result;
    }
    return ACCEPTED;
  }

  #rememberPiece(connection: Connection, piece: Omit<TablePiece, 'rowTexts'>, { kind }: DeliveryResult): void {
    if (kind === 'accepted' && piece.isLast) this.#remember(keyOf(connection, piece));
  }

  #remember(key: string): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.add(key);
  }
}

export function objectRefusalMessage(name: string, reason: string): string {
  return `The service refused the object "${name}": ${reason}`;
}

function keyOf({ target }: Connection, { projectId, digest }: { projectId: string; digest: string }): string {
  return `${target.url} ${projectId} ${digest}`;
}

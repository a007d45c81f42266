import { setImmediate } from '../../host/timers.ts';
import type { FileRecord, ObjectRecord, TableRecord } from '../../protocol/record.ts';
import type { ServiceClient, DeliveryResult } from '../transport/service-client.ts';
import { filePost, objectPost, publicationPost, tablePiecePost } from './object-post.ts';
import type { SpooledPublication } from '../spooled/segment-parts.ts';
import { piecesOf, type TablePiece } from './table-pieces.ts';

const MAX_KNOWN = 10_000;
const ACCEPTED: DeliveryResult = { kind: 'accepted' };

/** Sends objects after the files they name, tables and files; what has a digest and was sent once is not sent again. */
export class ObjectDelivery {
  /** Files and tables that a service has acknowledged. */
  readonly #known = new Set<string>();

  async deliver(service: ServiceClient, object: ObjectRecord): Promise<DeliveryResult> {
    for (const file of object.files) {
      const result = await this.deliverFile(service, file);
      if (result.kind !== 'accepted') return result;
    }
    return service.deliver(objectPost(object));
  }

  async deliverFile(service: ServiceClient, file: FileRecord): Promise<DeliveryResult> {
    const key = keyOf(service, file);
    if (this.#known.has(key)) return ACCEPTED;
    const result = await service.deliver(filePost(file));
    if (result.kind === 'accepted') this.#remember(key);
    return result;
  }

  /** Sends what the service does not have: only the new rows when it has acknowledged the base. */
  async deliverTable(service: ServiceClient, table: TableRecord): Promise<DeliveryResult> {
    const { projectId, base } = table;
    if (this.#known.has(keyOf(service, table))) return ACCEPTED;
    if (base && this.#known.has(keyOf(service, { projectId, digest: base.digest }))) {
      const result = await this.#deliverPieces(service, table, true);
      // A service that lost the base meanwhile gets the whole.
      if (result.kind !== 'refused') return result;
    }
    return this.#deliverPieces(service, table, false);
  }

  /** One line of a segment. */
  async deliverSpooled(service: ServiceClient, record: SpooledPublication): Promise<DeliveryResult> {
    if (record.kind === 'file') return this.deliverFile(service, record.file);
    const result = await service.deliver(publicationPost(record));
    if (record.kind === 'table') this.#rememberPiece(service, record.table, result);
    return result;
  }

  async #deliverPieces(service: ServiceClient, table: TableRecord, isBaseKnown: boolean): Promise<DeliveryResult> {
    for (const piece of piecesOf(table, isBaseKnown)) {
      if (piece === undefined) {
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      const result = await service.deliver(tablePiecePost(piece));
      this.#rememberPiece(service, piece, result);
      if (result.kind !== 'accepted') return result;
    }
    return ACCEPTED;
  }

  #rememberPiece(service: ServiceClient, piece: Omit<TablePiece, 'rowTexts'>, { kind }: DeliveryResult): void {
    if (kind === 'accepted' && piece.isLast) this.#remember(keyOf(service, piece));
  }

  #remember(key: string): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.add(key);
  }
}

export function objectRefusalMessage(name: string, reason: string): string {
  return `The service refused the object "${name}": ${reason}`;
}

function keyOf({ target }: ServiceClient, { projectId, digest }: { projectId: string; digest: string }): string {
  return `${target.url} ${projectId} ${digest}`;
}

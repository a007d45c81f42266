import type { Publication } from './publication.ts';

/** How many tables and files are remembered; after that some are written again, which is harmless. */
const MAX_KEPT = 10_000;

/** In place of a segment. */
const ARRIVED = 'arrived';

/** Where the tables are that arrived or are on disk, and which files wait or are on disk. */
export class KnownPlaces {
  readonly #kept = new Map<string, string | undefined>();

  has(publication: Publication): boolean {
    return this.#kept.has(keyOf(publication));
  }

  /** A file waits. */
  wait(publication: Publication): void {
    this.#keep(publication, undefined);
  }

  /** It has arrived, or is in a segment. */
  settle(publication: Publication, fate: 'sent' | 'spooled', segment: string | undefined): void {
    if (publication.kind === 'table') this.#keep(publication, fate === 'sent' ? ARRIVED : segment);
    // The service is asked again: it may be another one by then.
    if (publication.kind === 'file' && fate === 'sent') this.forget(publication);
  }

  forget(publication: Publication): void {
    this.#kept.delete(keyOf(publication));
  }

  clear(): void {
    this.#kept.clear();
  }

  /** Whether the service has the table of which this one has the rows and more. */
  hasBaseArrived(publication: Publication): boolean {
    return this.#baseOf(publication) === ARRIVED;
  }

  /** A base that arrived is there when this is read, or one in the same segment: others may be read by others. */
  isBaseIn(publication: Publication, segment: string | undefined): boolean {
    const where = this.#baseOf(publication);
    return where !== undefined && (where === ARRIVED || where === segment);
  }

  /** `undefined` where nobody knows. */
  #baseOf(publication: Publication): string | undefined {
    if (publication.kind !== 'table') return undefined;
    const { projectId, base } = publication.table;
    return base && this.#kept.get(tableKey(projectId, base.digest));
  }

  #keep(publication: Publication, where: string | undefined): void {
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(keyOf(publication), where);
  }
}

function keyOf(publication: Publication): string {
  if (publication.kind === 'object') return '';
  if (publication.kind === 'table') return tableKey(publication.table.projectId, publication.table.digest);
  return `file ${publication.file.projectId} ${publication.file.digest}`;
}

function tableKey(projectId: string, digest: string): string {
  return `table ${projectId} ${digest}`;
}

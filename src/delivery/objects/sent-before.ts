import type { ObjectRecord } from '../../protocol/record.ts';
import type { Publication } from './publication.ts';

/** Publications on their way that have to arrive before others: several requests are sent at once. */
export class SentBefore {
  /** The table that was sent last; what came after it may name it. */
  #lastTable: Promise<unknown> = Promise.resolve();
  /** Versions of an object are numbered as they arrive: the one of each name that was sent last. */
  readonly #lastOfName = new Map<string, Promise<unknown>>();

  /** Publications that one waits for: tables that it may name, or has the rows of; older versions of an object. */
  of(publication: Publication): Promise<unknown> | undefined {
    if (publication.kind === 'file') return undefined;
    if (publication.kind === 'table') return this.#lastTable;
    return Promise.all([this.#lastTable, this.#lastOfName.get(versionedName(publication.object))]);
  }

  note(publication: Publication, sent: Promise<unknown>): void {
    if (publication.kind === 'table') this.#lastTable = sent;
    if (publication.kind === 'object') this.#lastOfName.set(versionedName(publication.object), sent);
  }

  forget(publication: Publication, sent: Promise<unknown>): void {
    if (publication.kind !== 'object') return;
    const name = versionedName(publication.object);
    if (this.#lastOfName.get(name) === sent) this.#lastOfName.delete(name);
  }
}

function versionedName({ projectId, objectId }: ObjectRecord): string {
  return `${projectId} ${objectId}`;
}

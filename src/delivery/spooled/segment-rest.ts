import { fileLine, objectLine, tableLine } from '../../spool/segment-format.ts';
import type { SpooledCount } from '../../spool/spool.ts';
import type { Batch } from '../batch/batch.ts';
import type { SpooledPublication } from './segment-parts.ts';

/** The part of a segment that did not get through to a service that takes all else: lines of a segment of its own. */
export class SegmentRest {
  readonly #lines: Uint8Array[] = [];
  readonly #tables = new Set<string>();
  #count: SpooledCount = { calls: 0, objects: 0 };

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get count(): SpooledCount {
    return this.#count;
  }

  lines(): Buffer {
    return Buffer.concat(this.#lines);
  }

  addCalls(part: Batch): void {
    this.#lines.push(part.content);
    this.#count = { ...this.#count, calls: this.#count.calls + part.count };
  }

  /** Lines that make one record, of which `objects` are counted. */
  addPublication(lines: readonly SpooledPublication[], objects: number): void {
    for (const line of lines) {
      this.#lines.push(Buffer.from(lineOf(line)));
      if (line.kind === 'table') this.#tables.add(keyOf(line.table.projectId, line.table.digest));
    }
    this.#count = { ...this.#count, objects: this.#count.objects + objects };
  }

  /** Does it continue a table that is here? The service would refuse it, as one whose base it does not know. */
  continuesIn([line]: readonly SpooledPublication[]): boolean {
    if (line?.kind !== 'table' || line.table.base === undefined) return false;
    return this.#tables.has(keyOf(line.table.projectId, line.table.base));
  }
}

function lineOf(line: SpooledPublication): string {
  if (line.kind === 'file') return fileLine(line.file, { isAlone: line.isAlone === true });
  if (line.kind === 'object') return objectLine(line.object);
  return tableLine(
    line.table,
    line.table.rows.map((row) => JSON.stringify(row)),
  );
}

function keyOf(projectId: string, digest: string): string {
  return `${projectId} ${digest}`;
}

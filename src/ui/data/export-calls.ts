import type { CallsSelection } from './answers.ts';
import { send } from './ask.ts';
import { partsOf } from './parts-of.ts';
import { saveFile } from './save-file.ts';

export type ExportFormat = 'jsonl' | 'csv';

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Told how many have come so far. */
  readonly onBytes: (bytes: number) => void;
}

/** Saves all calls of some selections of a project, one after the other, as one file. */
export async function exportCalls(
  selections: readonly CallsSelection[],
  format: ExportFormat,
  { signal, onBytes }: ExportOptions,
): Promise<void> {
  const file = new FileInParts();
  let bytes = 0;
  for (const [index, selection] of selections.entries()) {
    // Lines of JSON are for programs: these get calls as they are.
    const asked = { ...selection, format, ...(format === 'jsonl' && { whole: true }) };
    const answer = await send('/x/calls/export', asked, { signal });
    let hasHead = format === 'csv' && index > 0;
    for await (const part of partsOf(answer)) {
      const end = hasHead ? part.indexOf(NEWLINE) : -1;
      // The names of the columns stand in the file once.
      if (!hasHead || end >= 0) file.add(part.subarray(end + 1));
      hasHead &&= end < 0;
      bytes += part.byteLength;
      onBytes(bytes);
    }
  }
  saveFile(file.whole(), `${selections[0]?.project_id.split('/').at(-1)}-calls.${format}`);
}

const NEWLINE = 10;

/** Bytes that are handed to the browser at a time: it keeps them outside of the page, and where they are many, on disk. */
const PART_BYTES = 8 * 1024 * 1024;

class FileInParts {
  readonly #parts: Blob[] = [];
  #last: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  add(bytes: Uint8Array<ArrayBuffer>): void {
    this.#last.push(bytes);
    this.#bytes += bytes.byteLength;
    if (this.#bytes >= PART_BYTES) this.#handOver();
  }

  whole(): Blob {
    this.#handOver();
    return new Blob(this.#parts);
  }

  #handOver(): void {
    this.#parts.push(new Blob(this.#last));
    this.#last = [];
    this.#bytes = 0;
  }
}

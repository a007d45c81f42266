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
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (const [index, selection] of selections.entries()) {
    const answer = await send('/x/calls/export', { ...selection, format }, { signal });
    let hasHead = format === 'csv' && index > 0;
    for await (const part of partsOf(answer)) {
      const end = hasHead ? part.indexOf(NEWLINE) : -1;
      // The names of the columns stand in the file once.
      if (!hasHead || end >= 0) parts.push(part.subarray(end + 1));
      hasHead &&= end < 0;
      bytes += part.byteLength;
      onBytes(bytes);
    }
  }
  saveFile(new Blob(parts), `${selections[0]?.project_id.split('/').at(-1)}-calls.${format}`);
}

const NEWLINE = 10;

import type { CallsSelection } from './answers.ts';
import { send } from './ask.ts';
import { partsOf } from './parts-of.ts';
import { saveFile } from './save-file.ts';

export type ExportFormat = 'jsonl' | 'csv';

/** Saves all calls of a selection as a file, and says how many bytes have come so far. */
export async function exportCalls(
  selection: CallsSelection,
  format: ExportFormat,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<void> {
  const answer = await send('/x/calls/export', { ...selection, format }, { signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const part of partsOf(answer)) {
    parts.push(part);
    bytes += part.byteLength;
    onBytes(bytes);
  }
  saveFile(new Blob(parts), `${selection.project_id.split('/').at(-1)}-calls.${format}`);
}

import type { CallsSelection } from './answers.ts';
import { send } from './ask.ts';

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
  for await (const part of answer.body ?? []) {
    parts.push(part);
    bytes += part.byteLength;
    onBytes(bytes);
  }
  save(new Blob(parts), `${selection.project_id.split('/').at(-1)}-calls.${format}`);
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

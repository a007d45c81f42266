import { send } from './ask.ts';
import { partsOf } from './parts-of.ts';
import { saveFile } from './save-file.ts';

export interface SaveOptions {
  readonly signal: AbortSignal;
  /** Told how many have come so far. */
  readonly onBytes: (bytes: number) => void;
}

/** Saves a trace as one HTML file that shows it without a service. */
export async function saveTraceHtml(project: string, traceId: string, { signal, onBytes }: SaveOptions): Promise<void> {
  const asked = new URLSearchParams({ project_id: project, trace_id: traceId });
  const answer = await send(`/x/trace/html?${asked}`, undefined, { method: 'GET', signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const part of partsOf(answer)) {
    parts.push(part);
    bytes += part.byteLength;
    onBytes(bytes);
  }
  saveFile(new Blob(parts, { type: 'text/html' }), `trace-${traceId}.html`);
}

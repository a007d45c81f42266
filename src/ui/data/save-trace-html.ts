import { send } from './ask.ts';
import { saveFile } from './save-file.ts';

/** Saves a trace as one HTML file that shows it without a service. */
export async function saveTraceHtml(project: string, traceId: string): Promise<void> {
  const asked = new URLSearchParams({ project_id: project, trace_id: traceId });
  const answer = await send(`/x/trace/html?${asked}`, undefined, { method: 'GET' });
  saveFile(await answer.blob(), `trace-${traceId}.html`);
}

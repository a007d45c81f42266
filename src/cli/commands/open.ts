import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Call } from '../../protocol/call.ts';
import { placeToOpen } from '../../protocol/values/code-place.ts';
import { field, type Operand, type Reader } from '../../reader/reader.ts';
import { firstOf } from '../../reader/first-of.ts';
import { type ServiceOptions, serviceOf } from '../known-service.ts';
import { findTrace, type TraceTarget } from '../find-trace.ts';
import { namedTrace, newestTrace } from '../named-trace.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { type PagePlace, pageLink } from '../page-link.ts';

export interface OpenOptions extends ServiceOptions {
  /** Prints the link only. */
  readonly print?: true;
  /** Opens the line of the call in the editor of the service, not the page. */
  readonly editor?: true;
}

/** Opens the page in a browser, logged in; prints the link where there is none. */
export async function open(trace: string | undefined, options: OpenOptions): Promise<void> {
  if (options.editor) return await openLine(trace, options);
  const { url, apiKey } = serviceOf(options);
  const link = await pageLink(url, apiKey, trace === undefined ? undefined : await placeOf(trace, options));
  if (options.print || !(await startBrowser(link))) process.stdout.write(`${link}\n`);
}

/** Where a call failed, or stands; of a trace the call that failed last, else its first one. */
async function openLine(id: string | undefined, options: OpenOptions): Promise<void> {
  const { reader, target } = id === undefined ? await newestTrace(options) : await namedTrace(id, options);
  const call = await callToOpen(reader, target);
  const place = call && placeToOpen(call.exception ?? undefined, call.attributes);
  if (place === undefined)
    throw new Error(`Nobody knows where the code of "${target.callId ?? target.traceId}" stands`);
  const file = await reader.page.openFile(place);
  remark(`opened ${toLine(file)}:${place.line}`);
}

async function callToOpen(reader: Reader, { traceId, callId }: TraceTarget): Promise<Call | undefined> {
  if (callId !== undefined) return (await reader.calls.get(callId)) ?? undefined;
  const failed = field('exception').isNull().not();
  return (await oneOf(reader, traceId, 'desc', failed)) ?? (await oneOf(reader, traceId, 'asc'));
}

/** The call of a trace that began last, or first. */
async function oneOf(
  reader: Reader,
  traceId: string,
  direction: 'asc' | 'desc',
  condition?: Operand,
): Promise<Call | undefined> {
  const asked = { filter: { trace_ids: [traceId] }, sort_by: [{ field: 'started_at', direction }], limit: 1 };
  return await firstOf(reader.calls.query({ ...asked, ...(condition && { query: condition }) }));
}

async function placeOf(trace: string, options: OpenOptions): Promise<PagePlace> {
  const { project, target } = await findTrace(trace, options);
  return { project, ...target };
}

/** How long it is waited for that a program says it has found no browser; one that is the browser itself goes on. */
const REFUSAL_MS = 1500;

/** False where nothing can show a page: over SSH, in a container, without a desktop or a browser. */
async function startBrowser(link: string): Promise<boolean> {
  const opener = openerOf(process.platform, process.env);
  if (opener === undefined) return false;
  const [command, ...args] = opener;
  // No shell: the link is an argument and nothing else.
  const child = spawn(command, [...args, link], { stdio: 'ignore', detached: true });
  try {
    const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(REFUSAL_MS) })) as [number | null];
    return code === 0;
  } catch {
    // It goes on, or there is no such program here.
    return child.pid !== undefined;
  } finally {
    child.unref();
  }
}

/** The command that opens a link on this system. */
export function openerOf(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): readonly [string, ...string[]] | undefined {
  if (environment['SSH_CONNECTION'] !== undefined || environment['CI'] !== undefined) return undefined;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDesktop = environment['DISPLAY'] !== undefined || environment['WAYLAND_DISPLAY'] !== undefined;
  return hasDesktop ? ['xdg-open'] : undefined;
}

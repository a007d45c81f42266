import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ServiceOptions, serviceOf } from '../known-service.ts';
import { findTrace } from '../find-trace.ts';
import { type PagePlace, pageLink } from '../page-link.ts';

export interface OpenOptions extends ServiceOptions {
  /** Prints the link only. */
  readonly print?: true;
}

/** Opens the page in a browser, logged in; prints the link where there is none. */
export async function open(trace: string | undefined, options: OpenOptions): Promise<void> {
  const { url, apiKey } = serviceOf(options);
  const link = await pageLink(url, apiKey, trace === undefined ? undefined : await placeOf(trace, options));
  if (options.print || !(await startBrowser(link))) process.stdout.write(`${link}\n`);
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

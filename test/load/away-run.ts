import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOf, makeHome } from '../flow/service-process.ts';

const PROGRAM = fileURLToPath(new URL('away-program.js', import.meta.url));

/**
 * Without the loader of whoever measures, whose memory would be measured too. And with the young generation of Node 20:
 * from Node 24 on V8 lets it grow to twice that in any program that makes much garbage, which tells nothing of Spoor.
 */
const EXEC_ARGV = ['--max-semi-space-size=16'];

/** How a service is away: nobody listens, or somebody does and says nothing. */
export type Absence = 'refuses' | 'hangs';
export type Way = 'end' | 'exit';

export interface AwayResult {
  readonly rssGrowthMb: number;
  /** The most that waited in memory. */
  readonly queuedBytes: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly counts: {
    readonly recorded: number;
    readonly queued: number;
    readonly sent: number;
    readonly spooled: number;
    readonly dropped: number;
    readonly droppedByReason: Readonly<Record<string, number>>;
  };
  /** From the last call to the end of the process. */
  readonly exitMs: number;
  readonly code: number | null;
  /** What the state folder took on disk in the end. */
  readonly spoolBytes: number;
}

/** Runs a program that records while its service is away. */
export async function runAway(options: {
  readonly absence: Absence;
  readonly way: Way;
  readonly calls: number;
  readonly env?: NodeJS.ProcessEnv;
}): Promise<AwayResult> {
  const { home, remove } = makeHome();
  const service = createServer((request) => void request.resume());
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  if (options.absence === 'refuses') service.close();
  try {
    const env = { ...environmentOf(home), SPOOR_URL: `http://127.0.0.1:${port}`, SPOOR_API_KEY: 'key', ...options.env };
    const { calls, way } = options;
    const child = fork(PROGRAM, [JSON.stringify({ calls, way })], {
      env,
      execArgv: EXEC_ARGV,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const [told] = (await once(child, 'message')) as [Omit<AwayResult, 'exitMs' | 'code' | 'spoolBytes'>];
    const toldAt = performance.now();
    const [code] = (await once(child, 'exit')) as [number | null];
    return { ...told, exitMs: performance.now() - toldAt, code, spoolBytes: bytesIn(home) };
  } finally {
    service.closeAllConnections();
    if (service.listening) service.close();
    remove();
  }
}

function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, each) => sum + (each.isFile() ? statSync(join(each.parentPath, each.name)).size : 0), 0);
}

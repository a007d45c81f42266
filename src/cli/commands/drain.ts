import { drain as deliverOrphans, type DrainResult } from '../../delivery/spooled/drain.ts';
import { keepingAlive } from '../../host/keep-alive.ts';
import { networkHere } from '../network/use-network.ts';
import { openServiceTransport } from '../../delivery/transport/open-transport.ts';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { listSegments } from '../../spool/orphaned-segments.ts';
import type { SegmentTarget } from '../../spool/segment-format.ts';
import { readServerFile } from '../../spool/server-file.ts';
import { type ServiceOptions, isSameAddress, serviceOf } from '../known-service.ts';
import { homeFolder } from '../data-folder.ts';
import { colors } from '../output/colors.ts';
import { printJson } from '../output/json.ts';
import { formatBytes } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { showProgress } from '../output/progress.ts';
import { say } from '../output/say.ts';

export interface DrainOptions extends Pick<ServiceOptions, 'url' | 'key'> {
  readonly json?: true;
}

/** Limit of one request, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Delivers what ended programs left on disk. Exit code 1 when records for this service still wait, were refused or cannot be read. */
export async function drain(options: DrainOptions): Promise<void> {
  const home = homeFolder();
  const { url, apiKey } = serviceOf(options);
  const network = networkHere();
  const isOurs = belongsTo(url, readServerFile(home)?.url);
  const problems: string[] = [];
  const progress = showProgress();
  const result = await keepingAlive(
    deliverOrphans({
      home,
      target: { url, apiKey },
      accepts: isOurs,
      openTransport: (target) =>
        openServiceTransport({ ...target, version: PACKAGE_VERSION, timeoutMs: TIMEOUT_MS, network }),
      report: (_kind, message) => problems.push(message),
      onProgress: progress.onProgress,
    }),
  ).finally(progress.clear);
  const waiting = listSegments(home).filter(({ target }) => target !== undefined && isOurs(target)).length;
  if (options.json) printJson({ ...result, failure: result.failure ?? null, waiting, problems });
  else print(result, { url, waiting, problems });
  if (waiting > 0 || result.failure !== undefined || result.refused + result.damaged > 0) process.exitCode = 1;
}

/** Records from when no service was named belong to the one of this folder. */
function belongsTo(url: string, localUrl: string | undefined): (target: SegmentTarget) => boolean {
  const isLocal = localUrl !== undefined && isSameAddress(url, localUrl);
  return (target) => (target.url === null ? isLocal : isSameAddress(target.url, url));
}

interface Rest {
  readonly url: string;
  readonly waiting: number;
  readonly problems: readonly string[];
}

function print({ segments, bytes, failure }: DrainResult, { url, waiting, problems }: Rest): void {
  const what = segments === 1 ? '1 segment' : `${segments} segments`;
  if (segments > 0) say(`${colors.green('✓')} ${what}, ${formatBytes(bytes)}, delivered to ${url}`);
  for (const problem of problems) say(`${colors.yellow('!')} ${toLine(problem)}`);
  if (failure !== undefined) say(`${colors.red('✗')} ${url} took no more: ${toLine(failure)}`);
  if (waiting > 0) {
    const rest = waiting === 1 ? '1 segment waits' : `${waiting} segments wait`;
    say(`${colors.yellow('!')} ${rest}, of running programs or for a service that answers`);
  }
  if (segments === 0 && waiting === 0) say(`Nothing waits for ${url}`);
}

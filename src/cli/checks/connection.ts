import { TracingError } from '../../protocol/error.ts';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { createReader } from '../../reader/reader.ts';
import { type Connection, type ConnectionOptions, findConnection, isHttpUrl } from '../connection.ts';
import type { Finding } from './finding.ts';

const TIMEOUT_MS = 5000;

/** Does the service answer, does it take the key, and is it of our version? */
export async function checkConnection(options: ConnectionOptions): Promise<Finding[]> {
  const connection = findConnection(options);
  if (!connection) {
    const advice = 'Start one with "spoor", or name one with SPOOR_URL; until then records wait on disk';
    return [{ level: 'problem', about: 'service', message: 'none is running here and none is named', advice }];
  }
  const { url } = connection;
  if (!isHttpUrl(url)) {
    const advice = 'Correct SPOOR_URL or --url';
    return [{ level: 'problem', about: 'service', message: `"${url}" is not an address of http or https`, advice }];
  }
  try {
    // Without a key the answer still tells whether a service is there.
    const reader = createReader({ url, apiKey: connection.apiKey ?? 'none', retries: 0 });
    const { version } = await reader.service.version({ signal: AbortSignal.timeout(TIMEOUT_MS) });
    return [...reached(connection), { level: 'ok', about: 'key', message: 'accepted' }, checkVersion(version)];
  } catch (error) {
    return failed(connection, error);
  }
}

function reached({ url, isNamed }: Connection): Finding[] {
  return [{ level: 'ok', about: 'service', message: `${url} answers${isNamed ? '' : ' (found in the state folder)'}` }];
}

function failed(connection: Connection, error: unknown): Finding[] {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof TracingError && (error.code === 'unauthenticated' || error.code === 'forbidden')) {
    const message = connection.apiKey === undefined ? `none is known for ${connection.url}` : `refused: ${reason}`;
    const advice = 'Set SPOOR_API_KEY to a key of "spoor keys create", or let the service of this folder give its own';
    return [...reached(connection), { level: 'problem', about: 'key', message, advice }];
  }
  const advice = connection.isNamed
    ? 'Correct SPOOR_URL or --url, or start that service'
    : 'Stop that process and start "spoor"';
  return [{ level: 'problem', about: 'service', message: `${connection.url} does not answer: ${reason}`, advice }];
}

function checkVersion(version: unknown): Finding {
  const about = 'version';
  if (version === PACKAGE_VERSION) return { level: 'ok', about, message: `${PACKAGE_VERSION}, the same on both sides` };
  const message = `the service is ${String(version)}, this package is ${PACKAGE_VERSION}`;
  return { level: 'warning', about, message, advice: 'Bring both to the same version' };
}

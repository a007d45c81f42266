import { TracingError } from '../../protocol/error.ts';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { createReader } from '../../reader/reader.ts';
import { type KnownService, type ServiceOptions, findService, isHttpUrl } from '../known-service.ts';
import { serviceFetch } from '../network/service-fetch.ts';
import type { Finding } from './finding.ts';
import { checkHealth } from './health.ts';
import { checkRetention } from './retention.ts';

const TIMEOUT_MS = 5000;

/** A trace service that has answered. */
export interface Answering {
  readonly url: string;
  readonly isKeyAccepted: boolean;
}

export interface ServiceCheck {
  readonly findings: readonly Finding[];
  readonly answering?: Answering;
}

/** Does the service answer, does it take the key, is it of our version, and can it read and write? */
export async function checkService(options: ServiceOptions): Promise<ServiceCheck> {
  const service = findService(options);
  if (!service) {
    const advice = 'Start one with "npx spoor", or name one with SPOOR_URL; until then records wait on disk';
    const message = 'none is running here and none is named';
    return { findings: [{ level: 'problem', about: 'service', message, advice }] };
  }
  const { url } = service;
  if (!isHttpUrl(url)) {
    const advice = 'Correct SPOOR_URL or --url';
    const message = `"${url}" is not an address of http or https`;
    return { findings: [{ level: 'problem', about: 'service', message, advice }] };
  }
  try {
    // Without a key the answer still tells whether a service is there.
    const reader = createReader({ url, apiKey: service.apiKey ?? 'none', retries: 0, fetch: serviceFetch });
    const { version } = await reader.service.version({ signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { dataFolder, database } = service;
    const findings: Finding[] = [
      reached(service),
      { level: 'ok', about: 'key', message: 'accepted' },
      checkVersion(version),
      await checkHealth({ reader, url, dataFolder, database, signal: AbortSignal.timeout(TIMEOUT_MS) }),
      ...(await checkRetention(reader, AbortSignal.timeout(TIMEOUT_MS))),
    ];
    return { findings, answering: { url, isKeyAccepted: true } };
  } catch (error) {
    return failed(service, error);
  }
}

function reached({ url, isNamed }: KnownService): Finding {
  return { level: 'ok', about: 'service', message: `${url} answers${isNamed ? '' : ' (found in the state folder)'}` };
}

function failed(service: KnownService, error: unknown): ServiceCheck {
  const { url } = service;
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof TracingError && (error.code === 'unauthenticated' || error.code === 'forbidden')) {
    const message = service.apiKey === undefined ? `none is known for ${url}` : `refused: ${reason}`;
    const advice = 'Set SPOOR_API_KEY to a key of "spoor keys create", or let the service of this folder give its own';
    const findings: Finding[] = [reached(service), { level: 'problem', about: 'key', message, advice }];
    return { findings, answering: { url, isKeyAccepted: false } };
  }
  const advice = service.isNamed
    ? 'Correct SPOOR_URL or --url, or start that service'
    : 'Stop that process and start "npx spoor"';
  const message = `${url} does not answer: ${reason}`;
  return { findings: [{ level: 'problem', about: 'service', message, advice }] };
}

function checkVersion(version: unknown): Finding {
  const about = 'version';
  if (version === PACKAGE_VERSION) return { level: 'ok', about, message: `${PACKAGE_VERSION}, the same on both sides` };
  const message = `the service is ${String(version)}, this package is ${PACKAGE_VERSION}`;
  return { level: 'warning', about, message, advice: 'Bring both to the same version' };
}

import { readServerFile } from '../spool/server-file.ts';
import type { TransportTarget } from '../delivery/transport/transport.ts';
import type { Config } from './config.ts';
import { networkFetch } from './network-fetch.ts';

/** A service, and how it is read where the network asks for more than an address. */
export interface FoundService extends TransportTarget {
  readonly fetch?: typeof fetch;
}

/**
 * The service to send to now: the configured one, else the one that runs for the state folder, else none. The key
 * in the state folder is for that service's own address only.
 */
export function findService(
  config: Pick<Config, 'url' | 'apiKey' | 'home'> & Partial<Pick<Config, 'network'>>,
): FoundService | undefined {
  const target = findTarget(config);
  const fetch = target && networkFetch(target.url, config.network ?? {});
  return fetch ? { ...target, fetch } : target;
}

function findTarget({ url, apiKey, home }: Pick<Config, 'url' | 'apiKey' | 'home'>): TransportTarget | undefined {
  if (url !== undefined && apiKey !== undefined) return { url, apiKey };
  const local = home === undefined ? undefined : readServerFile(home);
  if (url === undefined) return local && { url: local.url, apiKey: local.apiKey };
  return { url, apiKey: local && isSameAddress(local.url, url) ? local.apiKey : undefined };
}

function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)];
  return first.origin === second.origin && first.pathname === second.pathname;
}

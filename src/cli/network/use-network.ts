import { readNetwork } from '../../client/network-settings.ts';
import { fetchByNetwork } from '../../client/network-fetch.ts';
import { type Network, needsUndici } from '../../delivery/transport/network.ts';
import { isHttpUrl } from '../known-service.ts';

/** The network as the environment describes it. Throws a `TypeError` for a file that is not there. */
export function networkHere(): Network {
  return readNetwork(
    {},
    (name, parse) => (process.env[name] ? parse(process.env[name], name) : undefined),
    process.env,
  );
}

/** Has all requests of this command go as the network of the service asks; nothing is loaded where it asks for nothing. */
export function useNetwork(url: string | undefined): void {
  if (!url || !isHttpUrl(url)) return;
  const network = networkHere();
  if (needsUndici({ url }, network)) fetchByNetwork(url, network);
}

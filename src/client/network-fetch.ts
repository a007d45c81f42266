import { type Network, needsUndici, noProxyOf } from '../delivery/transport/network.ts';
import { undiciFile } from '../delivery/transport/posting.ts';
import { builtin } from '../host/builtin.ts';

/** As it was when this was loaded: what tests put in its place is for requests of the program. */
const { fetch: nodeFetch } = globalThis;

/** What `fetch` takes beside its own options, in Node. */
type Agent = NonNullable<RequestInit['dispatcher']>;

/** What is used of undici. */
interface Undici {
  readonly EnvHttpProxyAgent: new (options: object) => Agent;
  readonly setGlobalDispatcher: (agent: Agent) => void;
}

/**
 * A `fetch` that goes through proxies and with certificates, or with the dispatcher of the program; `undefined` where that of
 * Node does. Undici is loaded at the first request.
 */
export function networkFetch(url: string, network: Network): typeof fetch | undefined {
  if (network.dispatcher === undefined && !needsUndici({ url }, network)) return undefined;
  let agent: Agent | undefined;
  return async (input, init) => {
    agent ??= agentOf(network);
    return await nodeFetch(input, { ...init, dispatcher: agent });
  };
}

function agentOf(network: Network): Agent {
  // Whoever gives one says that it is a dispatcher of undici; Node has no type for what it takes.
  return network.dispatcher === undefined ? openAgent(network) : (network.dispatcher as unknown as Agent);
}

/** Has each `fetch` of this process go so: for a process of our own. */
export function fetchByNetwork(network: Network): void {
  loadUndici().setGlobalDispatcher(openAgent(network));
}

/** An agent for proxies of the environment. Authorities that are named come beside those that Node knows. */
function openAgent({ ca, cert, key, passphrase }: Network): Agent {
  const trusted = ca === undefined ? {} : { ca: [...builtin('node:tls').rootCertificates, ca] };
  const known = { ...trusted, ...(cert && { cert }), ...(key && { key }), ...(passphrase && { passphrase }) };
  const { EnvHttpProxyAgent } = loadUndici();
  return new EnvHttpProxyAgent({ connect: known, requestTls: known, proxyTls: trusted, noProxy: noProxyOf() });
}

function loadUndici(): Undici {
  return builtin('node:module').createRequire(import.meta.url)(undiciFile()) as Undici;
}

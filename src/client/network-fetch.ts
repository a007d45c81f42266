import { agentOptions, type AgentOptions, type Network, needsUndici } from '../delivery/transport/network.ts';
import { undiciFile } from '../delivery/transport/posting.ts';
import { builtin } from '../host/builtin.ts';

/** As it was when this was loaded: what tests put in its place is for requests of the program. */
const { fetch: nodeFetch } = globalThis;

/** The dispatcher that `fetch` takes beside its own options, in Node. */
type Agent = NonNullable<RequestInit['dispatcher']>;

/** The parts of undici that are used. */
interface Undici {
  readonly EnvHttpProxyAgent: new (options: AgentOptions) => Agent;
  readonly setGlobalDispatcher: (agent: Agent) => void;
}

/** Agents keep connections: one for each address in a network. */
const agents = new WeakMap<Network, Map<string, Agent>>();

/**
 * A `fetch` that goes through proxies and with certificates, or with the dispatcher of the program; `undefined` where that of
 * Node does. Undici is loaded at the first request.
 */
export function networkFetch(url: string, network: Network): typeof fetch | undefined {
  if (network.dispatcher === undefined && !needsUndici({ url }, network)) return undefined;
  return async (input, init) => await nodeFetch(input, { ...init, dispatcher: agentOf(url, network) });
}

function agentOf(url: string, network: Network): Agent {
  // Whoever gives one says that it is a dispatcher of undici; Node has no type for what it takes.
  if (network.dispatcher !== undefined) return network.dispatcher as unknown as Agent;
  const { origin } = new URL(url);
  const known = agents.get(network) ?? new Map<string, Agent>();
  const agent = known.get(origin) ?? openAgent(url, network);
  agents.set(network, known.set(origin, agent));
  return agent;
}

/** Has each `fetch` of this process go as those to this address: for a process of our own. */
export function fetchByNetwork(url: string, network: Network): void {
  loadUndici().setGlobalDispatcher(openAgent(url, network));
}

function openAgent(url: string, network: Network): Agent {
  const { EnvHttpProxyAgent } = loadUndici();
  return new EnvHttpProxyAgent(agentOptions(url, network));
}

function loadUndici(): Undici {
  return builtin('node:module').createRequire(import.meta.url)(undiciFile()) as Undici;
}

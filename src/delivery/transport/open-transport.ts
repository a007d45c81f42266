// docs/decisions/0045-undici-for-networks-that-ask-for-more.md says why.
import { DispatcherTransport } from './dispatcher-transport.ts';
import { HttpTransport, type HttpTransportOptions } from './http-transport.ts';
import { agentOptions, type Network, needsUndici } from './network.ts';
import type { RequestFormOptions } from './request-form.ts';
import { ThreadTransport } from './thread-transport.ts';
import type { BlockingTransport, Transport } from './transport.ts';
import { WorkerTransport } from './worker-transport.ts';

export interface ServiceTransportOptions extends HttpTransportOptions {
  /** The needs of the network. @default nothing but the address */
  readonly network?: Network;
}

/**
 * The way to a service: Node's own client, unless the network asks for more. What does is sent by a thread, which alone
 * loads undici for it and never keeps the process alive.
 */
export function openServiceTransport({ network = {}, ...options }: ServiceTransportOptions): Transport {
  const { dispatcher } = network;
  if (dispatcher !== undefined) return new DispatcherTransport({ ...options, dispatcher });
  if (!needsUndici(options, network)) return new HttpTransport(options);
  const { untraced: _, ...service } = options;
  return new ThreadTransport({ ...service, agentOptions: agentOptions(service.url, network) });
}

export interface LastTransportOptions extends RequestFormOptions {
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  readonly network?: Network;
}

/** The same while this thread waits. Throws where that cannot be done: no dispatcher of a program works in another thread. */
export function openLastTransport({ network = {}, ...options }: LastTransportOptions): BlockingTransport {
  if (network.dispatcher !== undefined) throw new Error('A dispatcher cannot send while its thread waits');
  const byUndici = needsUndici(options, network) && { agentOptions: agentOptions(options.url, network) };
  return new WorkerTransport({ ...options, ...byUndici });
}

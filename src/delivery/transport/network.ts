import type { TransportTarget } from './transport.ts';

/** What a network asks for beside an address: all of it is optional. Certificates and keys are PEM texts. */
export interface Network {
  /** Certificates of authorities that are trusted beside those that Node knows. */
  readonly ca?: string | undefined;
  /** What this program is known by, with its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
  /** Makes all requests, whatever else is said. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** The part of a dispatcher of undici, version 6 or newer, that requests are made with. */
export interface Dispatcher {
  request(options: DispatcherRequest): Promise<DispatcherAnswer>;
}

export interface DispatcherRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
  /** Milliseconds, as the next. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

export interface DispatcherAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** What a thread needs to know of a network; proxies are in the environment, which it shares. */
export type ThreadNetwork = Omit<Network, 'dispatcher'>;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Is the host this machine? No proxy is asked for it, and nothing is compressed on the way. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Requests that neither a proxy nor a certificate is for go by Node's own client: decision 0023 says why. */
export function needsUndici(
  { url }: Pick<TransportTarget, 'url'>,
  network: Network,
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' && (network.ca ?? network.cert ?? network.key) !== undefined) return true;
  return !isLoopback(hostname) && proxyOf(protocol, environment) !== undefined;
}

/** As undici takes them: what is for addresses of http is for the others, too, where these have none of their own. */
function proxyOf(protocol: string, environment: NodeJS.ProcessEnv): string | undefined {
  const { http_proxy: lower, HTTP_PROXY: upper } = environment;
  const forHttp = lower ?? upper;
  if (protocol === 'http:') return forHttp || undefined;
  const { https_proxy: lowerTls, HTTPS_PROXY: upperTls } = environment;
  return (lowerTls ?? upperTls) || forHttp || undefined;
}

/** Hosts that are asked without a proxy, as `NO_PROXY` has them: this machine always. */
export function noProxyOf(environment: NodeJS.ProcessEnv = process.env): string {
  const { no_proxy: lower, NO_PROXY: upper } = environment;
  return [lower ?? upper, 'localhost', '127.0.0.1', '[::1]'].filter(Boolean).join(',');
}

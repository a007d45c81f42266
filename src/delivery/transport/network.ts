import { builtin } from '../../host/builtin.ts';
import { isLoopback } from '../../protocol/loopback.ts';
import type { TransportTarget } from './transport.ts';

/** The needs of a network beside an address: all of them are optional. Certificates and keys are PEM texts. */
export interface Network {
  /** Certificates of authorities that are trusted beside those that Node knows. */
  readonly ca?: string | undefined;
  /** The certificate that this program is known by, with its key. */
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

/** Variables of a process; declarations of what records need no types of Node. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Requests that neither a proxy nor a certificate is for go by Node's own client: decision 0023 says why. */
export function needsUndici(
  { url }: Pick<TransportTarget, 'url'>,
  { ca, cert, key }: Network,
  environment: Environment = process.env,
): boolean {
  const isCertified = new URL(url).protocol === 'https:' && (ca ?? cert ?? key) !== undefined;
  return isCertified || proxyOf(url, environment) !== undefined;
}

/** The proxy for an address; `undefined` for what is asked directly, as this machine is, and hosts that `NO_PROXY` names. */
export function proxyOf(url: string, environment: Environment = process.env): string | undefined {
  const { protocol, hostname, host, port } = new URL(url);
  const { http_proxy: lower, HTTP_PROXY: upper, https_proxy: lowerTls, HTTPS_PROXY: upperTls } = environment;
  const forHttp = lower ?? upper;
  // What is for addresses of http is for the others, too, where these have none of their own.
  const proxy = (protocol === 'https:' && (lowerTls ?? upperTls)) || forHttp;
  if (!proxy || isLoopback(hostname)) return undefined;
  const { no_proxy: lowerNo, NO_PROXY: upperNo } = environment;
  const named = (lowerNo ?? upperNo ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const places = [hostname, port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host];
  if (named.some((name) => name === '*' || places.some((place) => isAtOrBelow(place, name)))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** `example.com`, `.example.com` and `*.example.com` are all for the host and what is below it, as for other programs. */
function isAtOrBelow(place: string, name: string): boolean {
  const host = name.replace(/^\*?\./, '');
  return place === host || place.endsWith(`.${host}`);
}

/** The options of an `EnvHttpProxyAgent` of undici for an address; they can be handed to a thread. */
export interface AgentOptions {
  readonly connect: TlsOptions;
  readonly requestTls: TlsOptions;
  readonly proxyTls: TlsOptions;
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  /** `*` where no proxy is to be asked. */
  readonly noProxy: string;
  /** Proxies let addresses of http through as requests, and not as tunnels. */
  readonly proxyTunnel: false;
}

interface TlsOptions {
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

export function agentOptions(
  url: string,
  { ca, cert, key, passphrase }: Network,
  environment: Environment = process.env,
): AgentOptions {
  const trusted = ca === undefined ? {} : { ca: [...knownAuthorities(environment), ca] };
  const known = { ...trusted, ...(cert && { cert }), ...(key && { key }), ...(passphrase && { passphrase }) };
  const proxy = proxyOf(url, environment);
  const proxies = { httpProxy: proxy, httpsProxy: proxy, noProxy: proxy === undefined ? '*' : '' };
  return { connect: known, requestTls: known, proxyTls: trusted, proxyTunnel: false, ...proxies };
}

/** Newer versions of Node say whom they trust. */
interface Tls {
  readonly rootCertificates: readonly string[];
  readonly getCACertificates?: (type: 'default') => string[];
}

/** Those that Node trusts by itself, since an option replaces them; older ones do not say which they were told of. */
function knownAuthorities({ NODE_EXTRA_CA_CERTS: extra }: Environment): readonly string[] {
  const tls: Tls = builtin('node:tls');
  if (tls.getCACertificates !== undefined) return tls.getCACertificates('default');
  try {
    return extra ? [...tls.rootCertificates, builtin('node:fs').readFileSync(extra, 'utf8')] : tls.rootCertificates;
  } catch {
    // Node has said at its start that it cannot read the file.
    return tls.rootCertificates;
  }
}

/** Where a request goes: a host name as in `URL.hostname`, and its port. */
export interface Authority {
  readonly hostname: string;
  readonly port: number;
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const PORT = /:(\d{1,5})$/;

interface HostPattern {
  /** Matches itself; `.example.com` every name that ends so. */
  readonly name: string;
  /** `undefined`: every port. */
  readonly port: number | undefined;
}

/** `api.example.com`, `*.example.com`, either with a port, or an address. */
export function isHostPattern(text: string): boolean {
  return toPattern(text) !== undefined;
}

/** Tells if the context may be told to a host: loopback always, others by name. */
export function hostMatcher(hosts: readonly string[]): (authority: Authority) => boolean {
  const patterns = hosts.flatMap((host) => toPattern(host) ?? []);
  return ({ hostname, port }) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    return LOOPBACK.test(name) || patterns.some((pattern) => matches(pattern, name, port));
  };
}

/** Of `host:port` as in the header `host`, with the port of the protocol where there is none. */
export function authorityOf(text: string, protocol: string): Authority | undefined {
  const address = `${protocol}//${text}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, port } = new URL(address);
  return { hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

function matches({ name, port }: HostPattern, wanted: string, wantedPort: number): boolean {
  if (port !== undefined && port !== wantedPort) return false;
  return name.startsWith('.') ? wanted.endsWith(name) : wanted === name;
}

function toPattern(text: string): HostPattern | undefined {
  const isWild = text.startsWith('*.');
  const [, port] = PORT.exec(text) ?? [];
  const name = text.slice(isWild ? 2 : 0).replace(PORT, '');
  // Names are compared as requests spell them: in lower case, and outside of ASCII encoded.
  const address = `http://${name}`;
  if (name === '' || /[/?#@*\\\s]/.test(name) || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  if (isWild && hostname.startsWith('[')) return undefined;
  return {
    name: (isWild ? '.' : '') + hostname.replace(/\.$/, ''),
    port: port === undefined ? undefined : Number(port),
  };
}

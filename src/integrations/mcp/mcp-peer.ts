import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import { activeTracer, hostMatcher, type Peers } from '../../tracing/instrument.ts';

/** An end of a connection, client or server: an instance of `Protocol`. */
export type McpEnd = object;

/** Members of the transports that lead to a process on this machine, or nowhere else than into this one. */
const LOCAL_MEMBERS = ['_stdin', '_serverParams', '_otherTransport'];

/**
 * May the other end be told the running call, and tell one? On this machine always, else as requests do it: hosts of
 * `propagateTo` are told, and whoever calls from elsewhere needs `continueTraces`.
 */
export function isTrusted(end: McpEnd): boolean {
  const transport = Reflect.get(end, '_transport') as unknown;
  const { hosts, isContinuing }: Peers = activeTracer()?.peers ?? { hosts: [], isContinuing: false };
  if (!isObject(transport)) return false;
  if (LOCAL_MEMBERS.some((member) => member in transport)) return true;
  const address = addressOf(transport);
  return address === undefined ? isContinuing : hostMatcher(hosts)(address);
}

/** Transports of clients know where they lead. */
function addressOf({ _url: url }: ParsedObject): { readonly hostname: string; readonly port: number } | undefined {
  if (!(url instanceof URL)) return undefined;
  return { hostname: url.hostname, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

/** The name that the other end gives itself. */
export function peerOf(end: McpEnd): { readonly server?: string; readonly client?: string } {
  const { getServerVersion, getClientVersion } = end as {
    getServerVersion?: () => { readonly name?: string } | undefined;
    getClientVersion?: () => { readonly name?: string } | undefined;
  };
  const server = getServerVersion?.call(end)?.name;
  const client = getClientVersion?.call(end)?.name;
  return { ...(server === undefined ? {} : { server }), ...(client === undefined ? {} : { client }) };
}

export function isClientEnd(end: McpEnd): boolean {
  return typeof Reflect.get(end, 'getServerVersion') === 'function';
}

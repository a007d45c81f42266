import { captures, disguise } from '../../tracing/instrument.ts';
import { noteFound, type Origin } from '../api/capture-library.ts';
import { coverWithCapture, guarded } from '../api/covered-method.ts';
import { coverHandler, SENT } from './mcp-capture.ts';
import { dotted, MCP_METHODS } from './mcp-methods.ts';

const LIBRARY = '@modelcontextprotocol/sdk';

/** @internal */
export const MCP = {
  name: LIBRARY,
  methods: Object.entries(MCP_METHODS).map(([method, { kind }]) => ({ opName: `mcp.${dotted(method)}`, kind })),
} as const;

const INCOMING = '_onrequest';

/**
 * Records the requests of one `Client` of the package `@modelcontextprotocol/sdk`, and those that its server makes of it.
 * Returns the same client. Beside `spoor/register`, or twice, it changes nothing: a request is recorded once.
 *
 * @example
 * const client = wrapMcpClient(new Client({ name: 'ranger', version: '1.0.0' }));
 */
export function wrapMcpClient<Client extends object>(client: Client): Client {
  captureEnd(endOf(client, 'client'), { hook: 'wrap', version: undefined });
  return client;
}

/**
 * Records what one `McpServer` or `Server` of the package `@modelcontextprotocol/sdk` is asked for: tools, resources,
 * prompts, whenever they are registered. Returns the same server.
 *
 * @example
 * const server = wrapMcpServer(new McpServer({ name: 'tracks', version: '1.0.0' }));
 */
export function wrapMcpServer<Server extends object>(server: Server): Server {
  captureEnd(endOf(server, 'server'), { hook: 'wrap', version: undefined });
  return server;
}

/**
 * The exports of the module `shared/protocol.js` of the package: the class of both ends.
 *
 * @internal
 */
export function captureMcp(exported: unknown, origin: Origin): void {
  const { Protocol } = exported as { readonly Protocol?: { readonly prototype?: unknown } };
  captureEnd(Object(Protocol?.prototype) as object, origin);
}

/** An `McpServer` has the end of the connection as its `server`. */
function endOf(value: object, what: string): object {
  const inner: unknown = Object(value).server;
  const end = typeof inner === 'object' && inner !== null ? inner : value;
  if (typeof end !== 'object' || end === null || typeof Reflect.get(end, 'request') !== 'function') {
    throw new TypeError(`Cannot wrap an MCP ${what}: want one of "${LIBRARY}"`);
  }
  return end;
}

function captureEnd(end: object, origin: Origin): void {
  const isSending = coverWithCapture(end, 'request', SENT);
  const isReceiving = coverIncoming(end);
  const methods = Object.keys(MCP_METHODS).map(dotted);
  noteFound(LIBRARY, origin, {
    ops: [
      ...(isSending ? MCP.methods.map(({ opName }) => opName) : []),
      ...(isReceiving ? methods.map((method) => `mcp.server.${method}`) : []),
    ],
    missing: [...(isSending ? [] : ['Protocol.request']), ...(isReceiving ? [] : [`Protocol.${INCOMING}`])],
  });
}

function coverIncoming(end: object): boolean {
  const original: unknown = Reflect.get(end, INCOMING);
  if (typeof original !== 'function') return false;
  if (captures.methods.has(original)) return true;
  const covered = disguise(function (this: object, ...args: unknown[]): unknown {
    guarded({ library: LIBRARY, opName: INCOMING }, () => coverHandler(this, args[0]));
    return Reflect.apply(original, this, args);
  }, original);
  captures.methods.add(covered);
  return Reflect.defineProperty(end, INCOMING, {
    value: covered,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}

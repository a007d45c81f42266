import { isObject } from '../../protocol/values/parsed-object.ts';
import { spanIdOf } from '../../protocol/values/id.ts';
import { captures, extract, inject, observe, type RecordedCall, registry } from '../../tracing/instrument.ts';
import { type CallDescription, type MethodCapture, recording } from '../api/covered-method.ts';
import { memberOf } from '../api/json-object.ts';
import { dotted, failureOfResult, inputsOf, MCP_METHODS } from './mcp-methods.ts';
import { isClientEnd, isTrusted, type McpEnd, peerOf } from './mcp-peer.ts';

const LIBRARY = '@modelcontextprotocol/sdk';

/** A tool that failed has answered all the same. */
const ENDING = { failure: failureOfResult };

/** Requests that this end makes: `Protocol.request`. The other end is told the call, in `_meta`. */
export const SENT: MethodCapture = {
  library: LIBRARY,
  opName: 'mcp',
  describe: (self, [request]) => describeRequest(self as McpEnd, request, 'mcp.'),
  begin: (call, { self, args: [request, ...rest] }) => ({
    args: [isTrusted(self as McpEnd) ? withContext(request, call) : request, ...rest],
    watch: (result) => observe(call, ENDING, result, false),
  }),
};

function describeRequest(end: McpEnd, request: unknown, prefix: string): CallDescription | undefined {
  const name = isObject(request) ? request['method'] : undefined;
  const method = typeof name === 'string' && Object.hasOwn(MCP_METHODS, name) ? MCP_METHODS[name] : undefined;
  if (method === undefined) return undefined;
  const shown = method.shown?.(memberOf(request, 'params'));
  return {
    opName: prefix + dotted(String(name)),
    inputs: inputsOf(request),
    options: {
      kind: method.kind,
      attributes: { provider: 'mcp', ...peerOf(end) },
      ...(shown === undefined ? {} : { displayName: shown }),
    },
  };
}

/** The request with the running call in its `_meta`; what the program has put there stays. */
function withContext(request: unknown, call: RecordedCall): unknown {
  const params = memberOf(request, 'params');
  const meta = memberOf(params, '_meta');
  if (!isObject(request) || meta?.['traceparent'] !== undefined) return request;
  const carrier = registry.context.run(call, () => inject({ ...meta }));
  return { ...request, params: { ...params, _meta: carrier } };
}

/**
 * Puts a handler that records in the place of the one that is about to take a request, whenever that was set. It runs
 * below the call that the other end has told.
 */
export function coverHandler(end: McpEnd, request: unknown): void {
  const handlers = Reflect.get(end, '_requestHandlers') as unknown;
  const method = isObject(request) ? request['method'] : undefined;
  if (!(handlers instanceof Map) || typeof method !== 'string' || !Object.hasOwn(MCP_METHODS, method)) return;
  const handler: unknown = handlers.get(method);
  if (typeof handler !== 'function' || captures.methods.has(handler)) return;
  const recorded = recording(handler, capturedHandler(end));
  const inContext = (...args: unknown[]): unknown => {
    const run = (): unknown => Reflect.apply(recorded, undefined, args);
    const meta = isTrusted(end) ? memberOf(memberOf(args[0], 'params'), '_meta') : undefined;
    return meta === undefined || isHere(meta) ? run() : extract(meta, run);
  };
  captures.methods.add(inContext);
  handlers.set(method, inContext);
}

function capturedHandler(end: McpEnd): MethodCapture {
  const prefix = isClientEnd(end) ? 'mcp.client.' : 'mcp.server.';
  return {
    library: LIBRARY,
    opName: prefix,
    describe: (_self, [request]) => describeRequest(end, request, prefix),
    begin: (call, { args }) => ({ args, watch: (result) => observe(call, ENDING, result, false) }),
  };
}

/**
 * The context came by itself, because both ends are in this process, or hangs below the call that was told: the request that
 * brought it over HTTP is recorded, too.
 */
function isHere({ traceparent }: Readonly<Record<string, unknown>>): boolean {
  const told = /^\w\w-\w{32}-(\w{16})-/.exec(String(traceparent))?.[1];
  if (told === undefined) return false;
  for (let call = registry.context.getStore()?.call; call !== undefined; call = call.parent) {
    if (spanIdOf(call.id) === told || (call.parentId !== undefined && spanIdOf(call.parentId) === told)) return true;
  }
  return false;
}

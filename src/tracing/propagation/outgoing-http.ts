import type http from 'node:http';
import type { ClientRequest } from 'node:http';
import { builtin } from '../../host/builtin.ts';
import type { OutgoingRequest } from './outgoing-fields.ts';

type Write = (request: () => OutgoingRequest | undefined) => void;

/** Published by Node 22.12 and newer while a request can still be changed. */
const CREATED = 'http.client.request.created';

/** Lets `write` see every request of `node:http` and `node:https` where it is made. Returns a function that ends it. */
export function watchHttpRequests(write: Write): () => void {
  const { subscribe, unsubscribe } = builtin('node:diagnostics_channel');
  if (!publishesCreated()) return replaceFunctions(write);
  const onCreated = (message: unknown) => {
    writeTo((message as { request: ClientRequest }).request, write);
  };
  subscribe(CREATED, onCreated);
  return () => void unsubscribe(CREATED, onCreated);
}

function publishesCreated(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 2) || (major === 22 && minor >= 12);
}

function writeTo(request: ClientRequest, write: Write): void {
  write(() => (isOpen(request) ? describe(request) : undefined));
}

/**
 * Headers that were given as a list are text already; what tunnels through a proxy is another request. What a fake in a
 * test answers may be no request at all.
 */
function isOpen(request: Partial<ClientRequest> | undefined): boolean {
  return request?.headersSent === false && request.method !== 'CONNECT';
}

function describe(request: ClientRequest): OutgoingRequest {
  const { protocol, host, path } = request;
  const named = headerOf(request, 'host') ?? bracketed(host);
  // A proxy on this machine sends on what is asked of it to another one.
  const proxied = URL.canParse(path) ? [new URL(path).host] : [];
  return {
    protocol,
    authorities: [portedLike(named, host), named, ...proxied],
    header: (name) => headerOf(request, name),
    add(name, value, isMore) {
      request.setHeader(name, isMore ? `${headerOf(request, name)},${value}` : value);
    },
    inOrigin: (fn) => fn(),
  };
}

/** The connection has no port of its own to ask for, but the header that Node writes has it. */
function portedLike(named: string, host: string): string {
  const [port = ''] = /:\d+$/.exec(named) ?? [];
  return bracketed(host) + port;
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function headerOf(request: ClientRequest, name: string): string | undefined {
  const value = request.getHeader(name);
  return value === undefined ? undefined : String(value);
}

/** `node:http` or `node:https`. */
type HttpModule = Pick<typeof http, 'request' | 'get'>;
type Requesting = (this: unknown, ...args: unknown[]) => ClientRequest;

/** Older versions tell of a request when it is too late, so `request` and `get` are replaced by look-alikes. */
function replaceFunctions(write: Write): () => void {
  const { syncBuiltinESMExports } = builtin('node:module');
  const modules = [builtin('node:http'), builtin('node:https')];
  const undos = modules.flatMap((module) => replaceIn(module, write));
  syncBuiltinESMExports();
  return () => {
    for (const undo of undos) undo();
    syncBuiltinESMExports();
  };
}

function replaceIn(module: HttpModule, write: Write): (() => void)[] {
  const original = module.request as Requesting;
  const isGetOfNode = OF_NODE.get.test(textOf(module.get)) && OF_NODE.request.test(textOf(original));
  let isOn = true;
  const request: Requesting = function (...args) {
    const made = Reflect.apply(original, this, args);
    if (isOn) writeTo(made, write);
    return made;
  };
  const get: Requesting = function (...args) {
    const made = Reflect.apply(request, this, args);
    made.end();
    return made;
  };
  const undos = [replace(module, 'request', request), ...(isGetOfNode ? [replace(module, 'get', get)] : [])];
  return [() => (isOn = false), ...undos];
}

/**
 * Node's `get` sends its request before anybody else can see it, so ours does what it does. One that somebody else has
 * put in its place, such as a test, has to be called, and so has Node's beside another `request`, which it ignores.
 */
const OF_NODE = {
  get: /^function get\(\w+, options, cb\) \{\s+const req = request\(/,
  request: /\breturn (?:new |ReflectConstruct\()ClientRequest\b/,
};

function textOf(fn: Function): string {
  return Function.prototype.toString.call(fn);
}

/** Undone only where nobody else has replaced it since. */
function replace(module: HttpModule, name: 'request' | 'get', replacement: Requesting): () => void {
  const original = module[name];
  Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
  Object.assign(module, { [name]: replacement });
  return () => {
    if ((module[name] as unknown) === replacement) Object.assign(module, { [name]: original });
  };
}

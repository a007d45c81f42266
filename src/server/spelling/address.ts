import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { DIALECT_NAMES, type Dialect, W } from '../../protocol/spelling/dialect.ts';
import { TracingError } from '../../protocol/error.ts';

/** Where a request goes and how it is written. */
export interface Address {
  /** Path and query within the service, without the base path and the part that names the dialect. */
  readonly url: string;
  /** Undefined: native. */
  readonly dialect: Dialect | undefined;
  /** Why nothing here answers to it. */
  readonly refusal?: TracingError;
  /** It came through `/x/api`, where a session counts as a key does. */
  readonly isOfPage?: true;
}

const DIALECT_PATH = '/dialect/';

/** In front of the paths of the protocol for those who have a session instead of a key. */
const PAGE_API_PATH = '/x/api/';

/** Reads what the path and the header `svc-dialect` say; one that says nothing leaves it to the other. */
export function locate(target: string, headers: IncomingHttpHeaders, basePath: string): Address {
  const inside = withinBase(target, basePath);
  if (inside === undefined) return refused(target, new TracingError('unknown_path', noSuchPath(target)));
  if (inside.startsWith(PAGE_API_PATH)) return ofPage(inside.slice(PAGE_API_PATH.length - 1));
  const inHeader = headers['svc-dialect'];
  if (!inside.startsWith(DIALECT_PATH)) return inDialect(inside, inHeader === undefined ? 'native' : String(inHeader));
  const [, inPath = '', rest = ''] = /^\/dialect\/([^/?]*)(.*)$/s.exec(inside) ?? [];
  const url = urlWithin(inPath, rest.startsWith('/') ? rest : `/${rest}`);
  if (inHeader === undefined || inHeader === inPath) return inDialect(url, inPath);
  return refused(url, unknownDialect(`${inPath}" and "${String(inHeader)}`));
}

/** Where clients of the vendor look for this service when they know the address of the account server only. */
const TRACES_PATH = /^\/traces(?=\/)/;

/** The account server's own path, which is there in its dialect only and keeps the name of it. */
export const GRAPHQL_PATH = `${DIALECT_PATH}${W.name}/graphql`;

function urlWithin(dialect: string, url: string): string {
  if (dialect !== W.name) return url;
  const isGraphql = /^\/graphql\/?(?:\?|$)/.test(url);
  return isGraphql ? `${DIALECT_PATH}${W.name}${url}` : url.replace(TRACES_PATH, '');
}

/** The sentence for a path that nothing answers to. */
export function noSuchPath(target: string): string {
  return `No such path: "${(target.split('?', 1)[0] ?? '').slice(0, 200)}"`;
}

function withinBase(target: string, basePath: string): string | undefined {
  if (basePath === '') return target;
  if (!target.startsWith(basePath)) return undefined;
  const rest = target.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}

function inDialect(url: string, name: string): Address {
  if (!DIALECT_NAMES.includes(name)) return refused(url, unknownDialect(name));
  return { url, dialect: name === W.name ? W : undefined };
}

/** The page speaks no dialect, and its own paths have no second one. */
function ofPage(url: string): Address {
  const isOther = /^\/(?:x|ui|dialect|docs|metrics|openapi\.json)(?:[/?]|$)/.test(url) || url === '/';
  const address = { url, dialect: undefined, isOfPage: true } as const;
  return isOther
    ? { ...address, refusal: new TracingError('unknown_path', noSuchPath(PAGE_API_PATH + url.slice(1))) }
    : address;
}

function refused(url: string, refusal: TracingError): Address {
  return { url, dialect: undefined, refusal };
}

function unknownDialect(name: string): TracingError {
  const known = DIALECT_NAMES.map((dialect) => `"${dialect}"`).join(' or ');
  return new TracingError('invalid_request', `Cannot speak the dialect "${name.slice(0, 200)}": want ${known}`);
}

const addresses = new WeakMap<IncomingMessage, Address>();

/** Finds the address of a request, keeps it for `addressOf`, and returns the path that routes are found by. */
export function takeAddress(request: IncomingMessage, basePath: string): string {
  const target = pathOf(request.url ?? '/');
  // Nearly all requests say nothing of a dialect, and need not be remembered.
  const isPlain =
    basePath === '' &&
    request.headers['svc-dialect'] === undefined &&
    !target.startsWith(DIALECT_PATH) &&
    !target.startsWith(PAGE_API_PATH);
  if (isPlain) return target;
  const address = locate(target, request.headers, basePath);
  addresses.set(request, address);
  return address.url;
}

/** A proxy may send the whole address. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

export function addressOf(request: IncomingMessage): Address {
  return addresses.get(request) ?? { url: request.url ?? '/', dialect: undefined };
}

/** A base path as it is put in front of every path: with a slash before it and none after it. */
export function readBasePath(text: string): string {
  const path = text.replace(/\/+$/, '');
  if (path === '' || /^(?:\/[\w.~-]+)+$/.test(path)) return path;
  throw new TracingError(
    'invalid_configuration',
    `Cannot use ${JSON.stringify(text.slice(0, 200))} as base path: want a path such as /traces`,
  );
}

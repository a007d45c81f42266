import { deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import protobuf from 'protobufjs/light.js';
import { SERVED, type ServedName } from '../../src/protocol/endpoints.ts';
import { PROTOBUF_SCHEMA } from '../../src/server/ingest/otlp/protobuf-schema.ts';
import { bodyOf } from './bodies.ts';
import { printJson } from './json-text.ts';
import { type Mutation, mutate, mutation } from './mutation.ts';
import type { World } from './world.ts';

/** One request over HTTP, or bytes that may be one. */
export interface FuzzRequest {
  readonly endpoint: ServedName | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Written to a bare connection, which is closed on our side after it. */
  readonly isRaw?: true;
  /** Nothing was done to it that could make it wrong. */
  readonly isValid: boolean;
}

const NAMES = Object.keys(SERVED) as ServedName[];

/** Requests to all endpoints, most of them wrong in one way or in several. */
export function requestsOf(world: World): fc.Arbitrary<FuzzRequest> {
  const toEndpoint = fc.constantFrom(...NAMES).chain((name) => requestTo(name, world));
  return fc.oneof(
    { weight: 20, arbitrary: toEndpoint },
    { weight: 1, arbitrary: form(world) },
    { weight: 1, arbitrary: exportOf(world) },
  );
}

/** Where an endpoint is asked. */
export function pathTo(name: ServedName): string {
  return SERVED[name].path.replace('{entity}/{project}', 'beta/one');
}

function requestTo(name: ServedName, world: World): fc.Arbitrary<FuzzRequest> {
  const endpoint = SERVED[name];
  const body = 'request' in endpoint ? bodyOf(name, endpoint.request, world.names) : fc.constant(undefined);
  const mutations = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Mutation[]>([]) },
    { weight: 4, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
  );
  const packing = fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: PACKING });
  const framing = fc.oneof({ weight: 12, arbitrary: fc.constant(WHOLE) }, { weight: 1, arbitrary: FRAMING });
  return fc.tuple(body, mutations, packing, framing, headersOf(world)).map(([value, changes, pack, frame, headers]) => {
    const text = value === undefined ? '' : printJson(mutate(value, changes));
    const { method = endpoint.method, path = samePath, isRaw } = frame;
    const isWhole = changes.length === 0 && pack === undefined && frame === WHOLE;
    return {
      endpoint: name,
      method,
      path: path(pathTo(name)),
      headers: { ...headers, ...pack?.headers },
      body: pack ? pack.apply(Buffer.from(text)) : Buffer.from(text),
      isValid: isWhole && Object.keys(headers).length === 1,
      ...(isRaw ? { isRaw } : {}),
    };
  });
}

const samePath = (path: string) => path;

/** How a request is sent, where that differs from what the endpoint wants. */
interface Framing {
  readonly method?: string;
  readonly path?: (path: string) => string;
  readonly isRaw?: true;
}

const WHOLE: Framing = {};

interface Packing {
  readonly headers: Readonly<Record<string, string>>;
  readonly apply: (body: Buffer) => Buffer;
  readonly [fc.toStringMethod]?: () => string;
}

/** Small when it arrives, and larger than any limit when it is unpacked. */
const BOMB = gzipSync(Buffer.alloc(48 * 1024 * 1024, ' '), { level: 9 });
const DEEP_BOMB = gzipSync(Buffer.alloc(33 * 1024 * 1024, '['), { level: 9 });

const PACKING: fc.Arbitrary<Packing> = fc.oneof(
  fc.constantFrom<Packing>(
    { headers: { 'content-encoding': 'gzip' }, apply: (body) => gzipSync(body) },
    { headers: { 'content-encoding': 'deflate' }, apply: (body) => deflateSync(body) },
    { headers: { 'content-encoding': 'gzip' }, apply: (body) => body },
    { headers: { 'content-encoding': 'gzip' }, apply: () => BOMB },
    { headers: { 'content-encoding': 'gzip' }, apply: () => DEEP_BOMB },
    { headers: { 'content-encoding': 'gzip' }, apply: (body) => Buffer.concat([gzipSync(body), body]) },
    { headers: { 'content-encoding': 'br' }, apply: (body) => body },
    { headers: { 'content-encoding': 'gzip, gzip' }, apply: (body) => gzipSync(gzipSync(body)) },
    { headers: {}, apply: (body) => Buffer.concat([Buffer.from('\ufeff'), body]) },
    { headers: {}, apply: (body) => Buffer.concat([body, body]) },
    { headers: {}, apply: (body) => Buffer.from(body.toString('utf8'), 'utf16le') },
    { headers: {}, apply: () => Buffer.alloc(0) },
    { headers: {}, apply: (body) => Buffer.from(`${body.toString()}${' '.repeat(1_000_000)}`) },
  ),
  fc
    .nat({ max: 4000 })
    .map((at) => ({ headers: {}, apply: (body: Buffer) => body.subarray(0, at % (body.length + 1)) })),
  fc.nat({ max: 4000 }).map((at) => {
    const apply = (body: Buffer) => gzipSync(body).subarray(0, at % (body.length + 1));
    return { headers: { 'content-encoding': 'gzip' }, apply };
  }),
  fc.tuple(fc.nat({ max: 4000 }), fc.uint8Array({ minLength: 1, maxLength: 3 })).map(([at, bytes]) => ({
    headers: {},
    apply: (body: Buffer) => {
      const place = at % (body.length + 1);
      return Buffer.concat([body.subarray(0, place), bytes, body.subarray(place)]);
    },
  })),
);

/** Other methods and addresses than the endpoint has, and requests cut off on a bare connection. */
const FRAMING: fc.Arbitrary<Framing> = fc.oneof(
  fc
    .constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND')
    .map((method) => ({ method })),
  fc
    .constantFrom<(path: string) => string>(
      (path) => `${path}/`,
      (path) => `${path}//`,
      (path) => `/${path}`,
      (path) => `${path}?a=b&__proto__=c&ip=1.2.3.4`,
      (path) => `${path}?ip=::1%00`,
      (path) => `${path}%00`,
      (path) => `${path}%zz`,
      (path) => `/x/..${path}`,
      (path) => path.toUpperCase(),
      (path) => `/dialect/w${path}`,
      (path) => `/dialect/x${path}`,
      (path) => path.replace('beta/one', 'alpha/secret'),
      (path) => path.replace('beta/one', 'beta%2Fone/%E0%A4%A'),
      (path) => path + 'x'.repeat(5000),
      () => '/calls/query',
      () => '/files/create',
      () => '/files/content',
      () => '/table/query_stream',
      () => '/openapi.json',
      () => '/docs',
      () => '/metrics',
      () => '/',
      () => '*',
    )
    .map((path) => ({ path })),
  fc.constant({ isRaw: true as const }),
);

const HEADERS: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.constantFrom<Record<string, string>>(
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/xml' },
    { 'content-type': 'application/x-protobuf' },
    { 'content-type': 'multipart/form-data; boundary=b' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': ';;/' },
    { accept: 'application/x-ndjson' },
    { accept: 'application/json' },
    { accept: ',;q=,*/*;q=nope' },
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'br, deflate;q=0, gzip;q=0.1' },
    { 'svc-dialect': 'w' },
    { 'svc-dialect': 'native' },
    { 'svc-dialect': 'constructor' },
    { 'svc-request-id': 'r 1' },
    { 'svc-retry-id': '{"a":1}' },
    { 'x-forwarded-for': '1.2.3.4, x' },
    { expect: '100-continue' },
    { range: 'bytes=0-1' },
    { origin: 'http://evil.example' },
    { connection: 'close' },
    { connection: 'upgrade', upgrade: 'websocket' },
    { authorization: 'Bearer ' },
    { authorization: 'Basic !!!' },
    { authorization: 'Bearer nobody' },
    { host: 'evil.example' },
    { 'transfer-encoding': 'chunked' },
  ),
  fc.constantFrom('beta/one', 'alpha/secret', 'nope', 'beta/one, beta/two').map((project) => ({ project_id: project })),
);

function headersOf({ keys }: World): fc.Arbitrary<Record<string, string>> {
  const extra = fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: HEADERS });
  return fc.tuple(fc.constantFrom(...keys), extra).map(([key, more]) => ({ authorization: `Bearer ${key}`, ...more }));
}

/** Files in forms, and what looks like one. */
function form(world: World): fc.Arbitrary<FuzzRequest> {
  const part = fc.oneof(
    fc
      .constantFrom(...world.names.projects)
      .map((project) => `Content-Disposition: form-data; name="project_id"\r\n\r\n${project}`),
    fc.constantFrom(
      'Content-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\nbytes\0',
      'Content-Disposition: form-data; name="file"\r\n\r\n',
      'Content-Disposition: form-data; name="expected_digest"\r\n\r\nx',
      "Content-Disposition: form-data; name=file; filename*=UTF-8''%zz\r\n\r\nx",
      'Content-Disposition: attachment\r\n\r\nx',
      'content-disposition: form-data; name="__proto__"\r\n\r\nx',
      '\r\n\r\n',
      'no header',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const end = fc.constantFrom('\r\n--b--\r\n', '\r\n--b--', '\r\n--b', '');
  return fc.tuple(fc.array(part, { maxLength: 4 }), end, fc.constantFrom(...world.keys)).map(([parts, last, key]) => ({
    endpoint: 'fileCreate' as const,
    method: 'POST',
    path: SERVED.fileCreate.path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.from(parts.map((text) => `--b\r\n${text}`).join('\r\n') + last),
    isValid: false,
  }));
}

const ExportRequest = protobuf.Root.fromJSON(PROTOBUF_SCHEMA).lookupType('ExportTraceServiceRequest');

function withoutNulls(value: unknown): object {
  return Object.fromEntries(Object.entries(Object(value)).filter(([, member]) => member !== null));
}

/** Ids as protobuf has them. */
function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]: [string, unknown]) => {
    return [key, key.endsWith('Id') && typeof member === 'string' ? Buffer.from(member, 'hex') : withBytes(member)];
  });
  return Object.fromEntries(entries);
}

/** Exports in protobuf: whole, cut, with other bytes in between, and bytes that are none. */
function exportOf(world: World): fc.Arbitrary<FuzzRequest> {
  const whole = bodyOf('otelExportTraces', SERVED.otelExportTraces.request, world.names).map((value) =>
    Buffer.from(
      ExportRequest.encode(ExportRequest.fromObject({ resourceSpans: [], ...withoutNulls(withBytes(value)) })).finish(),
    ),
  );
  const broken = fc
    .tuple(whole, fc.nat({ max: 2000 }), fc.uint8Array({ maxLength: 4 }), fc.boolean())
    .map(([bytes, at, more, isCut]) => {
      const place = at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, place), more, isCut ? Buffer.alloc(0) : bytes.subarray(place)]);
    });
  const body = fc.oneof(
    whole,
    broken,
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
  return fc
    .tuple(body, fc.constantFrom(...world.keys), fc.constantFrom('beta/one', 'alpha/secret', ''))
    .map(([bytes, key, project]) => ({
      endpoint: 'otelExportTraces' as const,
      method: 'POST',
      path: SERVED.otelExportTraces.path,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/x-protobuf',
        ...(project ? { project_id: project } : {}),
      },
      body: bytes,
      isValid: false,
    }));
}

/** A request as it is shown to people. */
export function describeRequest({ method, path, headers, body, isRaw }: FuzzRequest): string {
  const text = Buffer.from(body);
  const isText = Buffer.from(text.toString('utf8')).equals(text);
  const shown = isText ? text.toString('utf8') : `base64 ${text.toString('base64')}`;
  const cut = shown.length > 3000 ? `${shown.slice(0, 3000)}… (${text.length} bytes)` : shown;
  return `${method} ${path}${isRaw ? ' (bare connection, cut off)' : ''}\n${JSON.stringify(headers)}\n${cut}`;
}

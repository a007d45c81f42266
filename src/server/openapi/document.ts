import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { componentSchemas } from './components.ts';
import { DOCUMENTED, type DocumentedName } from './documented.ts';
import { AREAS } from './endpoint-text.ts';
import { ENDPOINT_TEXTS } from './endpoint-texts.ts';
import type { JsonSchema } from './json-schema.ts';
import { type Operation, operationOf, type Parameter, type Response, SHARED_RESPONSES } from './operation.ts';

export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** The parts of an OpenAPI 3.1 document that ours has. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

const DESCRIPTION = `Records what programs do and reads it back. Success is always 200; every other answer is one \`Error\`.

What these schemas cannot say:

- Where a request allows no other keys, an unknown one that holds \`null\` or \`false\` is ignored all the same.
- Types are not converted: \`"5"\` is no integer. \`5.0\` is one. Numbers keep their digits.
- \`null\` for an optional field means that it is absent.
- Date-times are RFC 3339; one without an offset is UTC. Digits beyond microseconds are cut off.
- Bodies may be sent with \`Content-Encoding: gzip\` or \`deflate\`, and answers are packed for those who accept gzip.
- JSON is read without a content type too, or with one that tools send by themselves.
- All writes may be repeated: a retry sends the same \`svc-retry-id\` and waits as long as \`Retry-After\` says.
- What is marked with \`x-spoor-extension\` is for the page of the service, and may change with every version.
- Names such as \`batch_items\` are limits: \`GET /server_info\` tells the values in force.`;

/** The document of a service, made of the schemas that requests are checked against. */
export function openApiDocument(basePath = ''): OpenApiDocument {
  const operations = paths();
  return {
    openapi: '3.1.1',
    info: {
      title: 'Spoor',
      version: PACKAGE_VERSION,
      summary: 'Trace recording service',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ bearer: [] }, { basic: [] }],
    tags: Object.entries(AREAS).map(([name, description]) => ({ name, description })),
    paths: operations,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: SHARED_RESPONSES,
      schemas: componentSchemas([operations, SHARED_RESPONSES]),
    },
  };
}

function paths(): OpenApiDocument['paths'] {
  const found: Record<string, { readonly get?: Operation; readonly post?: Operation }> = {};
  for (const [name, { method, path }] of Object.entries(DOCUMENTED)) {
    // The names of a table are its keys, which `entries` forgets.
    const operation = operationOf(name as DocumentedName, ENDPOINT_TEXTS[name as DocumentedName]);
    found[path] = { ...found[path], ...(method === 'GET' ? { get: operation } : { post: operation }) };
  }
  return found;
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The key is the token.' },
  basic: { type: 'http', scheme: 'basic', description: 'The key is the password; the user name is not looked at.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'spoor_session',
    description:
      'The cookie of `/x/session`, with `_<port>` behind its name where the address has a port. All but GET need `x-spoor-page: 1`.',
  },
};

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  'svc-request-id': {
    name: 'svc-request-id',
    in: 'header',
    description: 'Id of the request, up to 128 printable characters. Without one the service makes it.',
    schema: { type: 'string' },
  },
  'svc-retry-id': {
    name: 'svc-retry-id',
    in: 'header',
    description: 'Id that a request and its retries share; it is the id of the request where that has none.',
    schema: { type: 'string' },
  },
  'svc-sender': {
    name: 'svc-sender',
    in: 'header',
    description:
      'Process that sends, as `host=build-7;pid=4711;pid_started=9311;pid_namespace=4026531836`, the host percent-encoded, the last two where they are known. It gives no rights: by it `/x/clients` tells programs apart, and whether one of this machine still runs.',
    schema: { type: 'string' },
  },
  'svc-run': {
    name: 'svc-run',
    in: 'header',
    description:
      'Run of the process that has recorded the calls of the body, as `id=p0f3c9a1b2c3d4e5f;started=1764158400000000;pid=4711;host=build-7;version=0.1.0;commit=9f2c3d4e5f60718293a4b5c6d7e8f90123456789;dirty=0`: `started` in microseconds, host and version percent-encoded, all but the id where it is known. It gives no rights; `/x/runs/list` lists the runs.',
    schema: { type: 'string' },
  },
  'svc-dialect': {
    name: 'svc-dialect',
    in: 'header',
    description: 'Dialect the request is written in and its answer will be; `/server_info` lists them.',
    schema: { type: 'string', default: 'native' },
  },
};

const HEADERS: Readonly<Record<string, Header>> = {
  'svc-request-id': {
    description: 'Id of the request: the one it came with, its `svc-retry-id`, or a new one.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
};

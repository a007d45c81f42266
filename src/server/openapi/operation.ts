import type { Endpoint } from '../../protocol/endpoints.ts';
import { ERROR_CODES, type ErrorCode } from '../../protocol/error.ts';
import type { PageEndpoint } from '../../protocol/page-endpoints.ts';
import { componentOf } from './components.ts';
import { DOCUMENTED, type DocumentedName, isExtension } from './documented.ts';
import type { EndpointText } from './endpoint-text.ts';
import { COMMON_ERRORS, POST_ERRORS } from './error-texts.ts';
import { type JsonSchema, refTo } from './json-schema.ts';

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, MediaType>>;

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: Content;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonSchema;
  readonly example?: string;
}

export interface Operation {
  readonly operationId: DocumentedName;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** There where it is no part of the interface, and may change with every version. */
  readonly 'x-spoor-extension'?: true;
  /** Where it needs something else than all. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

const JSON_TYPE = 'application/json';
const BYTES_TYPE = 'application/octet-stream';
const PROTOBUF_TYPE = 'application/x-protobuf';

const PROTOBUF: Content = {
  [PROTOBUF_TYPE]: {
    schema: { description: 'The same message of OTLP as protobuf.', contentMediaType: PROTOBUF_TYPE },
  },
};

const FORM: MediaType = {
  schema: {
    type: 'object',
    properties: {
      project_id: { description: 'Project as `<entity>/<project>`.', type: 'string' },
      file: {
        description: 'The bytes. The file name is the name of the file; without one it is `<unnamed_file>`.',
        type: 'string',
        contentMediaType: BYTES_TYPE,
      },
      expected_digest: { description: 'Digest the content must have.', type: 'string' },
    },
    required: ['project_id', 'file'],
  },
};

/** Bodies that endpoints take besides JSON. */
const MORE_REQUESTS: Partial<Record<DocumentedName, Content>> = {
  fileCreate: { 'multipart/form-data': FORM },
  otelExportTraces: PROTOBUF,
};

/** Bodies that endpoints answer besides JSON, the usual form first. */
const MORE_ANSWERS: Partial<Record<DocumentedName, Content>> = {
  pageCallsExport: { 'text/csv': { schema: { description: 'The same as a table.', contentMediaType: 'text/csv' } } },
  fileContent: { [BYTES_TYPE]: { schema: { contentMediaType: BYTES_TYPE } } },
  otelExportTraces: PROTOBUF,
};

const PROJECT_IN_QUERY: Parameter = {
  name: 'project_id',
  in: 'query',
  required: true,
  description: 'Project as `<entity>/<project>`.',
  schema: { type: 'string' },
};

const MORE_PARAMETERS: Partial<Record<DocumentedName, readonly Parameter[]>> = {
  pageCallsChanges: [
    PROJECT_IN_QUERY,
    { name: 'cursor', in: 'query', description: 'Where to go on, for programs.', schema: { type: 'string' } },
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'Where to go on: browsers send it.',
      schema: { type: 'string' },
    },
  ],
  pageTraceHtml: [
    PROJECT_IN_QUERY,
    { name: 'trace_id', in: 'query', required: true, description: 'Id of the trace.', schema: { type: 'string' } },
  ],
  geolocate: [{ name: 'ip', in: 'query', description: 'Address to ask about.', schema: { type: 'string' } }],
  otelExportTraces: [
    {
      name: 'project_id',
      in: 'header',
      description: 'Project of resources that name none, as `<entity>/<project>`.',
      schema: { type: 'string' },
    },
  ],
};

const PATH_PARAMETERS: Readonly<Record<string, Parameter>> = {
  entity: pathParameter('entity', 'First part of the project, percent-encoded.', 'acme'),
  project: pathParameter('project', 'Second part of the project, percent-encoded.', 'demo'),
};

function pathParameter(name: string, description: string, example: string): Parameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
}

/** A path with its examples in the place of its variable parts. */
export function examplePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => PATH_PARAMETERS[name]?.example ?? name);
}

function parametersIn(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => PATH_PARAMETERS[name] ?? []);
}

/** The operation of one endpoint, as the document has it. */
export function operationOf(name: DocumentedName, text: EndpointText): Operation {
  const endpoint = DOCUMENTED[name];
  return {
    operationId: name,
    tags: [text.area],
    summary: text.summary,
    ...(text.description === undefined ? {} : { description: text.description }),
    ...(isExtension(name) ? { 'x-spoor-extension': true, security: SECURITY[name] ?? BY_SESSION } : {}),
    parameters: [
      ...parametersIn(endpoint.path),
      ...(isExtension(name) ? ['svc-request-id'] : REQUEST_HEADERS).map(parameterRef),
      ...(MORE_PARAMETERS[name] ?? []),
    ],
    ...requestOf(name, endpoint, text),
    responses: { 200: answerOf(name, endpoint, text), ...errorResponses(endpoint, text) },
  };
}

const BY_SESSION = [{ bearer: [] }, { basic: [] }, { session: [] }];

/** Security of endpoints of the page that does not go by key or session. */
const SECURITY: Partial<Record<DocumentedName, Operation['security']>> = {
  pageSessionStart: [],
  pageSessionEnd: [],
  pageSessionToken: [{ bearer: [] }, { basic: [] }],
};

const REQUEST_HEADERS = ['svc-request-id', 'svc-retry-id', 'svc-sender', 'svc-run', 'svc-dialect'];

function parameterRef(name: string): { readonly $ref: string } {
  return { $ref: `#/components/parameters/${name}` };
}

function requestOf(
  name: DocumentedName,
  { request }: Endpoint,
  { request: example }: EndpointText,
): Pick<Operation, 'requestBody'> {
  if (!request) return {};
  const json = { schema: componentOf(request), example };
  return { requestBody: { required: true, content: { [JSON_TYPE]: json, ...MORE_REQUESTS[name] } } };
}

function answerOf(name: DocumentedName, endpoint: PageEndpoint, { answer }: EndpointText): Response {
  const { response, isStream, contentType } = endpoint;
  const headers = headersOf('svc-request-id');
  // What is no JSON has no example.
  if (contentType !== undefined && answer === undefined) {
    return {
      description: 'Success.',
      headers,
      content: { [contentType]: { schema: { contentMediaType: contentType } } },
    };
  }
  const schema = componentOf(response);
  if (contentType !== undefined) {
    return { description: 'Success.', headers, content: { [contentType]: { schema, example: answer } } };
  }
  if (!isStream) {
    const content = { ...MORE_ANSWERS[name], [JSON_TYPE]: { schema, example: answer } };
    return { description: 'Success.', headers, content };
  }
  const line = { schema, example: answer };
  const content = { 'application/jsonl': line, ...(MORE_ANSWERS[name] ?? { 'application/x-ndjson': line }) };
  return {
    description: 'A stream of lines, each one record of this schema. No records make no lines.',
    headers,
    content,
  };
}

/** The errors of an endpoint by their status, each with its codes. */
function errorResponses(endpoint: Endpoint, text: EndpointText): Operation['responses'] {
  const responses = groupByStatus([...errorsOf(endpoint, text), ...itemErrorsOf(text)]).map(([status, errors]) => {
    const response = errorResponse(status, errors);
    const shared = SHARED_RESPONSES[`Error${status}`];
    const isShared = shared?.description === response.description;
    return [status, isShared ? { $ref: `#/components/responses/Error${status}` } : response] as const;
  });
  return Object.fromEntries(responses);
}

/** When a request is answered with an error code, and with which status. */
export interface ErrorOccasion {
  readonly code: ErrorCode;
  readonly when: string;
  readonly status: number;
}

/** The errors of an endpoint but for those of single items, its own before those that all have. */
export function errorsOf(
  { method }: Pick<Endpoint, 'method'>,
  { errors = [], withoutErrors = [] }: EndpointText,
): ErrorOccasion[] {
  const occasions = new Map<ErrorCode, string>();
  for (const [code, when] of [...errors, ...(method === 'POST' ? POST_ERRORS : []), ...COMMON_ERRORS]) {
    occasions.set(code, joinOccasions(occasions.get(code), when));
  }
  for (const code of withoutErrors) occasions.delete(code);
  return occasionsOf(occasions);
}

/** The errors of single items of a batch. */
export function itemErrorsOf({ itemErrors = [] }: EndpointText): ErrorOccasion[] {
  const occasions = new Map<ErrorCode, string>();
  for (const [code, when] of itemErrors) occasions.set(code, joinOccasions(occasions.get(code), when));
  return [...occasions].map(([code, when]) => ({
    code,
    when: `of an item, named in \`detail\`: ${when}`,
    status: 422,
  }));
}

function occasionsOf(errors: Iterable<readonly [ErrorCode, string]>): ErrorOccasion[] {
  return [...errors].map(([code, when]) => ({ code, when, status: ERROR_CODES[code].status }));
}

function joinOccasions(own: string | undefined, common: string): string {
  return own === undefined || own === common ? common : `${own}; ${common}`;
}

function groupByStatus(errors: readonly ErrorOccasion[]): [number, ErrorOccasion[]][] {
  const groups = new Map<number, ErrorOccasion[]>();
  for (const error of errors) groups.set(error.status, [...(groups.get(error.status) ?? []), error]);
  return [...groups].sort(([one], [other]) => one - other);
}

const ERROR_HEADERS: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

function errorResponse(status: number, errors: readonly ErrorOccasion[]): Response {
  const codes = errors.map(({ code }) => code);
  const more = ERROR_HEADERS[status];
  return {
    description: errors.map(({ code, when }) => `\`${code}\`: ${when}.`).join(' '),
    headers: headersOf('svc-request-id', ...(more === undefined ? [] : [more])),
    content: { [JSON_TYPE]: { schema: { allOf: [refTo('Error'), { properties: { error_code: { enum: codes } } }] } } },
  };
}

/** Responses of endpoints with a body that have no errors of their own with that status; all have some with 400. */
export const SHARED_RESPONSES: Readonly<Record<string, Response>> = Object.fromEntries(
  groupByStatus(occasionsOf(new Map([...POST_ERRORS, ...COMMON_ERRORS])))
    .filter(([status]) => status !== 400)
    .map(([status, errors]) => [`Error${status}`, errorResponse(status, errors)]),
);

function headersOf(...names: string[]): Record<string, { readonly $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

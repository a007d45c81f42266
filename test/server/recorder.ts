import { expect } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/protocol/error.ts';
import { DOCUMENTED, type DocumentedName } from '../../src/server/openapi/documented.ts';
import { ENDPOINT_TEXTS } from '../../src/server/openapi/endpoint-texts.ts';
import type { JsonSchema } from '../../src/server/openapi/json-schema.ts';
import type { Operation } from '../../src/server/openapi/operation.ts';
import { checkAnswerBody, DOCUMENT, escapePointer } from './published-schemas.ts';

/** One request and its answer, as they crossed the wire. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON, a form, or undefined when it is neither. */
  readonly request: unknown;
  readonly answer: {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
    readonly body: unknown;
  };
}

/** What the tests of one file have seen of an endpoint. */
interface Seen {
  readonly fields: Set<string>;
  readonly errors: Set<string>;
  isCompared: boolean;
}

const seen = new Map<DocumentedName, Seen>();
const endpointOfAnswer = new WeakMap<object, DocumentedName>();

const NAMES = Object.keys(DOCUMENTED) as DocumentedName[];

/** Notes what an exchange shows of its endpoint, and holds its answer against the document. */
export function record({ method, path, request, answer }: Exchange): void {
  const name = NAMES.find(
    (candidate) => DOCUMENTED[candidate].method === method && partsOf(DOCUMENTED[candidate].path, path) !== undefined,
  );
  if (name === undefined) return;
  endpointOfAnswer.set(answer, name);
  const { fields, errors } = seenOf(name);
  if (answer.status === 200)
    for (const field of [...fieldsOf(name, request), ...(partsOf(DOCUMENTED[name].path, path) ?? [])])
      fields.add(field);
  else errors.add((answer.body as { error_code: string }).error_code);
  const findings = findingsOf(name, answer);
  if (findings.length > 0) throw new Error(`The document does not say what ${path} answers:\n${findings.join('\n')}`);
}

/** The names of the variable parts of an endpoint's path, if the path is one of it. */
function partsOf(template: string, path: string): string[] | undefined {
  const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${pattern}$`).exec(path);
  return match ? Object.keys(match.groups ?? {}) : undefined;
}

/** Status and body of an answer, which is compared as a whole then. */
export function whole(answer: Exchange['answer']): [status: number, body: unknown] {
  const name = endpointOfAnswer.get(answer);
  if (name !== undefined) seenOf(name).isCompared = true;
  return [answer.status, answer.body];
}

/** The whole of an error but for the words of its reason; `more` are the keys that only some have. */
export function wholeError({ headers }: Exchange['answer'], code: ErrorCode, more: object = {}): [number, unknown] {
  const { status } = ERROR_CODES[code];
  const detail = status === 422 ? { detail: expect.any(Array) as unknown } : {};
  const common = { reason: expect.any(String) as string, error_code: code, request_id: headers.get('svc-request-id') };
  return [status, { ...common, ...detail, ...more }];
}

/** The whole of an error that one item of a batch causes, which its only detail places at `loc`. */
export function wholeItemError(
  answer: Exchange['answer'],
  code: ErrorCode,
  loc: readonly (string | number)[],
): [number, unknown] {
  const detail = [{ loc: ['body', ...loc], msg: expect.any(String) as string, type: code }];
  const [, body] = wholeError(answer, code, { detail });
  return [422, body];
}

/** Errors that every test of an endpoint provokes beside those of its section; the others have tests of their own. */
const ALWAYS: readonly ErrorCode[] = ['unauthenticated'];
const ALWAYS_WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'validation_error'];

/** What the tests of a file have left out of an endpoint; nothing is how it should be. */
export function leftOut(name: DocumentedName): { fields: string[]; errors: string[]; comparison: string[] } {
  const { fields, errors, isCompared } = seenOf(name);
  const { method } = DOCUMENTED[name];
  const { errors: own = [], itemErrors = [], withoutErrors = [] } = ENDPOINT_TEXTS[name];
  const common = [...ALWAYS, ...(method === 'POST' ? ALWAYS_WITH_BODY : [])];
  const expected = new Set([
    ...[...own, ...itemErrors].map(([code]) => code),
    ...common.filter((code) => !withoutErrors.includes(code)),
  ]);
  return {
    fields: allFieldsOf(name).filter((field) => !fields.has(field)),
    errors: [...expected].filter((code) => !errors.has(code)),
    comparison: isCompared ? [] : ['of a whole body'],
  };
}

export const NOTHING = { fields: [], errors: [], comparison: [] };

function seenOf(name: DocumentedName): Seen {
  const known = seen.get(name);
  if (known) return known;
  const fresh: Seen = { fields: new Set(), errors: new Set(), isCompared: false };
  seen.set(name, fresh);
  return fresh;
}

function operationOf(name: DocumentedName): Operation {
  const { method, path } = DOCUMENTED[name];
  const operation = DOCUMENT.paths[path]?.[method === 'GET' ? 'get' : 'post'];
  if (!operation) throw new Error(`The document has no ${method} ${path}`);
  return operation;
}

function findingsOf(name: DocumentedName, { status, headers, text, body }: Exchange['answer']): string[] {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  const response = operationOf(name).responses[String(status)];
  if (!response) return [`there is no status ${status}, which it answers with ${text.slice(0, 300)}`];
  const { method, path } = DOCUMENTED[name];
  const base = `/paths/${escapePointer(path)}/${method.toLowerCase()}/responses/${status}`;
  const pointer = '$ref' in response ? response.$ref.slice(1) : base;
  const schema = `${pointer}/content/${escapePointer(type)}/schema`;
  if (type === 'application/json') return checkAnswerBody(schema, body).map(({ message }) => message);
  if (!type.endsWith('jsonl') && !type.endsWith('ndjson')) return [];
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('{"_svc_error"'));
  return lines.flatMap((line) => checkAnswerBody(schema, JSON.parse(line)).map(({ message }) => message));
}

function resolve(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  return DOCUMENT.components.schemas[schema.$ref.slice('#/components/schemas/'.length)] ?? {};
}

/** A schema without the alternative null. */
function optionsOf(schema: JsonSchema): JsonSchema[] {
  const { oneOf, anyOf, ...rest } = resolve(schema);
  const options = oneOf ?? anyOf;
  return options ? options.filter(({ type }) => type !== 'null').flatMap(optionsOf) : [rest];
}

/** Paths of all fields of a schema. Expressions have tests of their own; values of users have no fields. */
function fieldsOfSchema(schema: JsonSchema, path: string): string[] {
  return optionsOf(schema).flatMap(({ properties, items, additionalProperties }) => {
    if (properties) {
      return Object.entries(properties).flatMap(([key, field]) => {
        const at = path === '' ? key : `${path}.${key}`;
        return key === '$expr' ? [at] : [at, ...fieldsOfSchema(field, at)];
      });
    }
    if (items) return fieldsOfSchema(items, `${path}[]`);
    return typeof additionalProperties === 'object' ? fieldsOfSchema(additionalProperties, `${path}.*`) : [];
  });
}

/** Paths of the fields that a value sets to something that is not null. */
function fieldsOfValue(value: unknown, known: ReadonlySet<string>, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOfValue(item, known, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const named = path === '' ? key : `${path}.${key}`;
    const at = known.has(named) ? named : `${path}.*`;
    if (member === null) return [];
    // Values of users may be as deep as they like, and have no fields.
    const hasFields = key !== '$expr' && [...known].some((field) => field.startsWith(at) && field.length > at.length);
    return [at, ...(hasFields ? fieldsOfValue(member, known, at) : [])];
  });
}

const FORM = 'multipart/form-data';

function allFieldsOf(name: DocumentedName): string[] {
  const content = operationOf(name).requestBody?.content ?? {};
  const json = content['application/json'] ? fieldsOfSchema(content['application/json'].schema, '') : [];
  const form = content[FORM] ? fieldsOfSchema(content[FORM].schema, '').map((field) => `form ${field}`) : [];
  const parameters = operationOf(name).parameters.flatMap((parameter) => ('name' in parameter ? [parameter.name] : []));
  return [...new Set([...json, ...form, ...parameters])];
}

function fieldsOf(name: DocumentedName, request: unknown): string[] {
  if (request instanceof FormData) return [...request.keys()].map((key) => `form ${key}`);
  if (request instanceof URLSearchParams) return [...request.keys()];
  return fieldsOfValue(request, new Set(allFieldsOf(name)), '');
}

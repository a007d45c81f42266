import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseDateTime } from '../../src/protocol/values/date-time.ts';
import { openApiDocument } from '../../src/server/openapi/document.ts';

/** A finding of a check against the document. */
export interface Finding {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
  /** The value that was refused. */
  readonly value: unknown;
}

/** The document as it is sent. */
export const DOCUMENT = JSON.parse(JSON.stringify(openApiDocument())) as ReturnType<typeof openApiDocument>;

const OUTPUT_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/;

const requests = checkerOf(DOCUMENT, (text) => parseDateTime(text) !== undefined);
const answers = checkerOf(closeObjects(DOCUMENT), (text) => OUTPUT_DATE_TIME.test(text));

/** What the document finds wrong with a value where a request is read; `pointer` leads to the schema. */
export function checkRequestBody(pointer: string, body: unknown): Finding[] {
  return check(requests, pointer, body);
}

/** The same of what the service sends: there the document must name every key, and times have one form. */
export function checkAnswerBody(pointer: string, body: unknown): Finding[] {
  return check(answers, pointer, body);
}

export const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

function check(ajv: Ajv2020, pointer: string, body: unknown): Finding[] {
  const validate: ValidateFunction | undefined = ajv.getSchema(`document#${encodeURI(pointer)}`);
  if (!validate) throw new Error(`The document has no schema at ${pointer}`);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, keyword, message, params, data }) => ({
    path: instancePath,
    keyword,
    message: `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    value: keyword === 'additionalProperties' ? memberOf(data, params['additionalProperty']) : data,
  }));
}

function memberOf(data: unknown, key: unknown): unknown {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[String(key)] : undefined;
}

function checkerOf(document: object, isDateTime: (text: string) => boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('double-int', { type: 'number', validate: Number.isSafeInteger });
  return ajv.addSchema({ $id: 'document', ...document });
}

/** Schemas of objects let every other key pass; here it has to be one that the document names. */
function closeObjects<T>(node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(closeObjects) as T;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closeObjects(value as unknown)]));
  const isOpen = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return (isOpen ? { ...copy, additionalProperties: false } : copy) as T;
}

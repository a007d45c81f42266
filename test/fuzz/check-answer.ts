import { FormatRegistry } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseDateTime } from '../../src/protocol/values/date-time.ts';
import { SERVED } from '../../src/protocol/endpoints.ts';
import { ERROR_CODES } from '../../src/protocol/error.ts';
import type { FuzzAnswer } from './client.ts';
import { type FuzzRequest, pathTo } from './request.ts';
import { SECRETS } from './world.ts';

FormatRegistry.Set('date-time', (text) => parseDateTime(text) !== undefined);

/** What is wrong with an answer, or nothing. */
export function problemOf(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status, body } = answer;
  const text = body.toString('utf8');
  const leak = SECRETS.find((secret) => text.includes(secret));
  if (leak !== undefined) return `the answer has "${leak}" of a project that the key may not read`;
  if (request.isRaw) return status >= 500 ? `status ${status}: ${text.slice(0, 500)}` : undefined;
  if (status >= 500) return `status ${status}: ${text.slice(0, 500)}`;
  if (!answer.isComplete) return 'the answer broke off';
  if (request.method === 'HEAD') return body.length > 0 ? 'an answer to HEAD has a body' : undefined;
  return status === 200 ? problemOfSuccess(request, answer, text) : problemOfError(answer, text);
}

function problemOfError({ status, headers }: FuzzAnswer, text: string): string | undefined {
  const body = parse(text);
  const shown = `status ${status}: ${text.slice(0, 500)}`;
  if (typeof body !== 'object' || body === null) return `an error is no JSON object, ${shown}`;
  const { reason, error_code, request_id, detail } = body as Record<string, unknown>;
  if (!hasStatusOf(error_code, status, detail)) return `an error has not the status of its code, ${shown}`;
  if (typeof reason !== 'string' || reason.length < 5) return `an error has no reason, ${shown}`;
  if (request_id !== headers['svc-request-id']) return `an error has another request id, ${shown}`;
  if (headers['content-type'] !== 'application/json') return `an error is of type ${String(headers['content-type'])}`;
  if (status === 422 && !Array.isArray(detail)) return `an error has no detail, ${shown}`;
  if (status === 405 && headers['allow'] === undefined) return `an error has no Allow header, ${shown}`;
  if (status === 401 && headers['www-authenticate'] === undefined) return `an error has no WWW-Authenticate, ${shown}`;
  return undefined;
}

/** What is wrong with items of a batch is 422 whatever its code, and says which items. */
function hasStatusOf(code: unknown, status: number, detail: unknown): boolean {
  const known = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1];
  if (known?.status === status) return true;
  if (known === undefined || known.status < 400 || known.status > 499 || status !== 422) return false;
  return Array.isArray(detail) && detail.length > 0 && detail.every(isOfItem);
}

function isOfItem(entry: unknown): boolean {
  const { loc } = entry as { readonly loc?: unknown };
  return Array.isArray(loc) && loc[0] === 'body' && loc[1] === 'batch' && typeof loc[2] === 'number';
}

const JSON_LINES = /^application\/(?:jsonl|x-ndjson)$/;

function problemOfSuccess(request: FuzzRequest, answer: FuzzAnswer, text: string): string | undefined {
  const type = String(answer.headers['content-type']);
  if (JSON_LINES.test(type)) return problemOfLines(request, text);
  if (type !== 'application/json') return undefined;
  const body = parse(text);
  if (body === undefined) return `the answer is no JSON: ${text.slice(0, 500)}`;
  return problemOfRecord(request, body);
}

function problemOfLines(request: FuzzRequest, text: string): string | undefined {
  if (text === '') return undefined;
  if (!text.endsWith('\n')) return 'the last line has no end';
  for (const line of text.slice(0, -1).split('\n')) {
    const record = parse(line);
    if (typeof record !== 'object' || record === null) return `a line is no record: ${line.slice(0, 500)}`;
    if ('_svc_error' in record) return `a stream ended in an error: ${line.slice(0, 500)}`;
    const problem = problemOfRecord(request, record);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Answers in another dialect have other names; hidden paths answer in shapes of their own. */
function problemOfRecord({ endpoint, path, headers }: FuzzRequest, record: unknown): string | undefined {
  if (endpoint === undefined || headers['svc-dialect'] === 'w' || path.split('?')[0] !== pathTo(endpoint))
    return undefined;
  const { response } = SERVED[endpoint];
  const first = Value.Errors(response, record).First();
  return (
    first &&
    `the answer breaks its schema at "${first.path}": ${first.message}, ${JSON.stringify(first.value)?.slice(0, 200)}`
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedName, SERVED } from '../../../src/protocol/endpoints.ts';
import { PAGE } from '../../../src/protocol/page-endpoints.ts';
import { SKELETON_TYPE } from '../../../src/protocol/page/skeleton.ts';
import { DOCUMENTED, type DocumentedName, isExtension } from '../../../src/server/openapi/documented.ts';
import type { JsonSchema } from '../../../src/server/openapi/json-schema.ts';
import { examplePath, type Operation } from '../../../src/server/openapi/operation.ts';
import { checkAnswerBody, checkRequestBody, DOCUMENT, escapePointer } from '../published-schemas.ts';
import { type RunningServer, startServer } from '../running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const NAMES = Object.keys(SERVED) as ServedName[];
const ALL = Object.keys(DOCUMENTED) as DocumentedName[];

function operationOf(name: DocumentedName): Operation {
  const { method, path } = DOCUMENTED[name];
  const operation = DOCUMENT.paths[path]?.[method === 'GET' ? 'get' : 'post'];
  if (!operation) throw new Error(`The document has no ${method} ${path}`);
  return operation;
}

function pointerOf(name: DocumentedName, rest: string): string {
  const { method, path } = DOCUMENTED[name];
  return `/paths/${escapePointer(path)}/${method.toLowerCase()}/${rest}/schema`;
}

const requestPointer = (name: DocumentedName) => pointerOf(name, 'requestBody/content/application~1json');

function exampleRequest(name: DocumentedName): unknown {
  return operationOf(name).requestBody?.content['application/json']?.example;
}

function exampleAnswer(name: DocumentedName): unknown {
  const response = operationOf(name).responses['200'];
  if (!response || !('content' in response)) throw new Error(`The document has no answer of ${name}`);
  const { content } = response;
  return (content['application/json'] ?? Object.values(content)[0])?.example;
}

describe('the document', () => {
  test('is OpenAPI 3.1', async () => {
    const result = await new Validator().validate({ ...DOCUMENT });
    expect(result).toEqual({ valid: true });
  });

  test('has every endpoint and no other', () => {
    const operations = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [operation.operationId, method.toUpperCase(), path]),
    );
    const described = operations.map((parts) => parts.join(' '));
    const served = ALL.map((name) => [name, DOCUMENTED[name].method, DOCUMENTED[name].path].join(' '));
    expect(described.toSorted()).toEqual(served.toSorted());
  });

  test('marks the endpoints of the page, and no other', () => {
    const marked = ALL.filter((name) => operationOf(name)['x-spoor-extension']);
    expect(marked).toEqual(Object.keys(PAGE));
    expect(marked.filter((name) => !isExtension(name) || !DOCUMENTED[name].path.startsWith('/x/'))).toEqual([]);
  });

  test('says of every field what it means', () => {
    const silent: string[] = [];
    const look = ({ properties = {}, items, additionalProperties, ...schema }: JsonSchema, path: string): void => {
      for (const [key, field] of Object.entries(properties)) {
        // An operator is described where it is the whole schema.
        if (field.description === undefined && schema.title !== key) silent.push(`${path}.${key}`);
        look(field, `${path}.${key}`);
      }
      if (items) look(items, `${path}[]`);
      if (typeof additionalProperties === 'object') look(additionalProperties, `${path}.*`);
      for (const option of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) look(option, path);
    };
    for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) look(schema, name);
    expect(silent).toEqual([]);
  });

  test('marks what may change', () => {
    const flags = ['include_costs', 'include_feedback', 'include_storage_size', 'include_total_storage_size'];
    const { properties = {} } = DOCUMENT.components.schemas['CallsStreamQueryRequest'] ?? {};
    const marked = Object.keys(properties).filter((key) => properties[key]?.description?.includes('Beta:'));
    expect(marked).toEqual(flags);
  });

  test('uses every component', () => {
    const text = JSON.stringify(DOCUMENT);
    const { schemas, headers, responses, parameters } = DOCUMENT.components;
    const unused = Object.entries({ schemas, headers, responses, parameters }).flatMap(([kind, parts]) =>
      Object.keys(parts)
        .map((name) => `#/components/${kind}/${name}`)
        .filter((ref) => !text.includes(`"${ref}"`)),
    );
    expect(unused).toEqual([]);
  });
});

describe('examples', () => {
  test.each(ALL.filter((name) => DOCUMENTED[name].contentType !== SKELETON_TYPE))('of %s fit their schemas', (name) => {
    const body = exampleRequest(name);
    expect(body === undefined ? [] : checkRequestBody(requestPointer(name), body)).toEqual([]);
    const { isStream, contentType } = DOCUMENTED[name];
    const type = contentType ?? (isStream ? 'application/jsonl' : 'application/json');
    const pointer = pointerOf(name, `responses/200/content/${escapePointer(type)}`);
    expect(checkAnswerBody(pointer, exampleAnswer(name))).toEqual([]);
  });

  /** The endpoints in an order in which each finds what its example asks for. */
  const ORDER = [
    'callStart',
    'callEnd',
    'callUpsertBatch',
    'callUpdate',
    'callRead',
    'callsQueryStats',
    'callsStreamQuery',
    'costCreate',
    'costQuery',
    'costPurge',
    'feedbackCreate',
    'feedbackQuery',
    'feedbackReplace',
    'feedbackPurge',
    'fileCreate',
    'fileContent',
    'filesQueryStats',
    'objCreate',
    'objRead',
    'objsQuery',
    'refsReadBatch',
    'tableCreate',
    'tableUpdate',
    'tableQuery',
    'tableQueryStats',
    'tableQueryStatsBatch',
    'otelExportTraces',
    'threadsStreamQuery',
    'objDelete',
    'callsDelete',
    'feedbackBatchCreate',
    'projectCallStart',
    'projectCallEnd',
    'callsComplete',
    'health',
    'version',
    'geolocate',
    'serverInfo',
  ] as const satisfies readonly ServedName[];

  test('name every endpoint', () => {
    expect([...ORDER].sort()).toEqual([...NAMES].sort());
  });

  test('are what a fresh service answers, but for new ids and the time', async () => {
    const fresh = await startServer();
    try {
      for (const name of ORDER) {
        const { method, path } = SERVED[name];
        const body = exampleRequest(name);
        const answer =
          method === 'GET'
            ? await fresh.get(path)
            : await fresh.post(examplePath(path), body, { accept: 'application/json' });
        expect({ name, status: answer.status, body: mask(answer.body) }).toEqual({
          name,
          status: 200,
          body: mask(exampleAnswer(name)),
        });
      }
    } finally {
      await fresh.close();
    }
  });

  /** New ids and times of the service, replaced by one word each. */
  function mask(value: unknown): unknown {
    const text = JSON.stringify(value).replaceAll(/"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"/g, '"id"');
    return JSON.parse(text.replaceAll(/"created_at":"[^"]+"/g, '"created_at":"now"')) as unknown;
  }
});

describe('/openapi.json', () => {
  test('is the document, for everybody', async () => {
    const response = await fetch(`${server.url}/openapi.json`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toEqual(DOCUMENT);
  });

  test('is there with a slash at its end, and for who names this machine only', async () => {
    expect((await server.get('/openapi.json/')).status).toBe(200);
    const sent = request(`${server.url}/openapi.json`, { headers: { host: 'evil.example' } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });

  test('takes no other methods', async () => {
    const answer = await server.post('/openapi.json', {});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${server.url}/openapi.json`, { method: 'HEAD' });
    expect([head.status, await head.text(), Number(head.headers.get('content-length')) > 1000]).toEqual([
      200,
      '',
      true,
    ]);
  });
});

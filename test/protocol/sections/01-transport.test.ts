import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS, SERVED } from '../../../src/protocol/endpoints.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import { startServer } from '../../server/running-server.ts';
import { openService, refusal, STARTED, UUID, withService } from './service.ts';

withService((service) => {
  /** Sends bytes, with no header but those given. */
  const send = async (
    path: string,
    body: string | Buffer | undefined,
    headers: Record<string, string> = {},
    method = 'POST',
  ) =>
    await fetch(service.server.url + path, {
      method,
      headers: { authorization: `Bearer ${service.key}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const startText = (inputs: string) =>
    `{"start":{"project_id":"${service.project}","id":"c1","op_name":"f","trace_id":"t1","started_at":"${STARTED}","inputs":${inputs}}}`;

  describe('1.1 basics', () => {
    test('30 endpoints are POST, 4 are GET', () => {
      const paths = (method: string) =>
        Object.values(ENDPOINTS).flatMap((endpoint) => (endpoint.method === method ? [endpoint.path] : []));
      expect(paths('POST')).toHaveLength(30);
      expect(paths('GET')).toEqual(['/health', '/version', '/geolocate', '/server_info']);
    });

    test.each(Object.values(SERVED).map(({ method, path }) => [method, path] as const))(
      '%s %s has this method and one trailing slash more',
      async (method, path) => {
        const other = method === 'GET' ? 'POST' : 'GET';
        const wrong = await send(path, other === 'POST' ? '{}' : undefined, {}, other);
        expect([wrong.status, await wrong.json()]).toEqual([
          405,
          expect.objectContaining({ error_code: 'method_not_allowed' }),
        ]);
        expect(wrong.headers.get('allow')?.split(', ')).toContain(method);
        const slashed = await send(`${path}/`, method === 'POST' ? '{"nonsense"' : undefined, {}, method);
        expect(slashed.status).toBe(method === 'POST' ? 400 : 200);
      },
    );

    test.each(['/', '/call', '/call/read/x', '/CALL/READ', '/call//read', '/calls/query/x'])(
      'there is nothing at %s',
      async (path) => {
        expect(refusal(await service.post(path, '{}'))).toBe('404 unknown_path');
      },
    );

    test('a base address with a path is one', async () => {
      const based = await startServer({ basePath: '/traces' });
      expect((await based.get('/version')).status).toBe(200);
      expect((await based.post('/call/read', { project_id: 'a/b', id: 'c' })).body).toEqual({ call: null });
      expect(new URL(based.url).pathname).toBe('/traces');
      await based.close();
    });

    test.each<readonly [type: string | undefined, status: number]>([
      [undefined, 200],
      ['application/json', 200],
      ['application/json; charset=utf-8', 200],
      ['application/xml', 415],
      ['multipart/form-data; boundary=b', 415],
      ['application/x-protobuf', 415],
    ])('a body of type %s has the status %i', async (type, status) => {
      const body = Buffer.from(`{"project_id":"${service.project}","id":"c"}`);
      const answer = await send('/call/read', body, type === undefined ? {} : { 'content-type': type });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
    });

    test.each([
      '{"a":NaN}',
      '{"a":Infinity}',
      '{"a":-Infinity}',
      '{',
      '',
      '{"a":1,}',
      "{'a':1}",
      '{"a":1}x',
      '{"a":01}',
    ])('%j is no JSON', async (body) => {
      expect(refusal(await service.post('/call/read', body))).toBe('400 invalid_json');
    });

    test('JSON is UTF-8, of two keys the last counts, and lone surrogates are replaced', async () => {
      const latin = Buffer.from(startText('{"a":"é"}'), 'latin1');
      expect((await send('/call/start', latin)).status).toBe(400);
      await service.post('/call/start', startText(String.raw`{"a":1,"a":2,"b":"\ud800x\udc00","\ud800":3}`));
      expect(await service.read()).toMatchObject({ inputs: { a: 2, b: '\ufffdx\ufffd', '\ufffd': 3 } });
    });

    test.each<readonly [name: string, pack: (text: string) => Buffer]>([
      ['gzip', (text) => gzipSync(text)],
      ['deflate', (text) => deflateSync(text)],
    ])('a body in %s is unpacked', async (encoding, pack) => {
      const answer = await send('/call/start', pack(startText('{"a":1}')), { 'content-encoding': encoding });
      expect(answer.status).toBe(200);
      expect(await service.read()).toMatchObject({ inputs: { a: 1 } });
    });

    test('limits are those of the unpacked size', async () => {
      const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024, ' '));
      const answer = await send('/call/start', bomb, { 'content-encoding': 'gzip' });
      expect([answer.status, await answer.json()]).toEqual([
        413,
        expect.objectContaining({ error_code: 'payload_too_large' }),
      ]);
    });

    test('answers above 1 KiB are packed for those who can unpack', async () => {
      await service.start({ inputs: { text: 'x'.repeat(2000) } });
      const encodingOf = async (path: string, body: object, accept: string) =>
        (await send(path, JSON.stringify(body), { 'accept-encoding': accept })).headers.get('content-encoding');
      const read = { project_id: service.project, id: 'c1' };
      expect(await encodingOf('/call/read', read, 'gzip')).toBe('gzip');
      expect(await encodingOf('/call/read', read, 'gzip;q=0')).toBeNull();
      expect(await encodingOf('/call/read', read, 'identity')).toBeNull();
      expect(await encodingOf('/call/read', { ...read, id: 'none' }, 'gzip')).toBeNull();
    });

    test('success is 200, and an empty body is {}', async () => {
      const answer = await service.end();
      expect([answer.status, answer.text]).toEqual([200, '{}']);
    });

    test('no other origin may ask, unless it is listed', async () => {
      const origin = 'https://ui.example';
      expect((await service.get('/version', { origin })).headers.get('access-control-allow-origin')).toBeNull();
      const open = await openService({ storage: 'memory', corsOrigins: [origin] });
      const preflight = await fetch(`${open.server.url}/call/read`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });
      expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
      expect(preflight.headers.get('access-control-allow-methods')).toMatch(/GET.*POST|POST.*GET/);
      await open.close();
    });

    test('every answer has a request id: that of the request, else that of its retry, else a new one', async () => {
      const idOf = async (headers: Record<string, string>) =>
        (await service.get('/version', headers)).headers.get('svc-request-id');
      expect(await idOf({ 'svc-request-id': 'mine', 'svc-retry-id': 'other' })).toBe('mine');
      expect(await idOf({ 'svc-retry-id': 'again' })).toBe('again');
      expect(await idOf({})).toMatch(UUID);
      expect((await service.post('/nothing', '{}', { 'svc-request-id': 'mine' })).body).toMatchObject({
        request_id: 'mine',
      });
    });
  });

  describe('1.2 strictness', () => {
    const read = async (more: object) =>
      refusal(await service.post('/call/read', { project_id: service.project, id: 'c', ...more }));

    test('an unknown key is refused at the top, in filters, sorts and queries', async () => {
      const query = async (more: object) =>
        await service.post('/calls/stream_query', { project_id: service.project, ...more });
      expect(await service.post('/call/read', { project_id: 'a/b', id: 'c', more: 1 })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'more'], type: 'extra_forbidden' }] },
      });
      expect(refusal(await query({ filter: { more: 1 } }))).toBe('422 validation_error');
      expect(refusal(await query({ sort_by: [{ field: 'id', direction: 'asc', more: 1 }] }))).toBe(
        '422 validation_error',
      );
      expect(refusal(await query({ query: { $expr: { $literal: true }, more: 1 } }))).toBe('422 validation_error');
      expect(refusal(await query({ query: { $expr: { $literal: true, more: 1 } } }))).toBe('422 validation_error');
    });

    test('unless it is null or false', async () => {
      expect([await read({ more: null }), await read({ more: false }), await read({ more: 0 })]).toEqual([
        '200',
        '200',
        '422 validation_error',
      ]);
    });

    test('it is ignored in items, starts, ends, objects, tables, prices and spans', async () => {
      const { project: project_id } = service;
      const start = { project_id, id: 'c1', op_name: 'f', started_at: STARTED, more: 1 };
      const price = { prompt_token_cost: 1, completion_token_cost: 1, more: 1 };
      const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), startTimeUnixNano: '1', more: 1 };
      const answers = [
        await service.post('/call/start', { start }),
        await service.end({ more: 1 }),
        await service.post('/call/upsert_batch', { batch: [{ mode: 'start', req: { start, more: 1 }, more: 1 }] }),
        await service.post('/obj/create', { obj: { project_id, object_id: 'o', val: 1, more: 1 } }),
        await service.post('/table/create', { table: { project_id, rows: [], more: 1 } }),
        await service.post('/cost/create', { project_id, costs: { m: price } }),
        await service.post(
          '/otel/v1/traces',
          { resourceSpans: [{ scopeSpans: [{ spans: [span] }], more: 1 }], more: 1 },
          { project_id },
        ),
      ];
      expect(answers.map(refusal)).toEqual(answers.map(() => '200'));
    });

    test('null is absent for every optional field', async () => {
      const optional = [
        'id',
        'display_name',
        'trace_id',
        'parent_id',
        'thread_id',
        'turn_id',
        'attributes',
        'inputs',
        'otel_dump',
      ];
      const more = ['svc_user_id', 'svc_run_id', 'svc_run_step'];
      const nulls = Object.fromEntries([...optional, ...more].map((name) => [name, null]));
      expect(refusal(await service.start(nulls))).toBe('200');
      expect(await read({ include_costs: null, include_storage_size: null })).toBe('200');
    });

    test('types are not coerced, but a whole number may have a fraction of zero', async () => {
      const limit = async (text: string) =>
        refusal(await service.post('/calls/stream_query', `{"project_id":"${service.project}","limit":${text}}`));
      expect(await Promise.all(['5', '5.0', '5e0'].map(limit))).toEqual(['200', '200', '200']);
      for (const text of ['"5"', '5.5', 'true', '[]', '{}']) expect(await limit(text)).toBe('422 validation_error');
      expect(await read({ include_costs: 1 })).toBe('422 validation_error');
      expect(await read({ id: 5 })).toBe('422 validation_error');
    });
  });

  describe('1.3 authentication', () => {
    const basic = (text: string) => `Basic ${btoa(text)}`;
    const statusWith = async (headers: Record<string, string>, path = '/version') =>
      (await fetch(service.server.url + path, { headers })).status;

    test.each<readonly [name: string, header: (key: string) => string, status: number]>([
      ['the key as password', (key) => basic(`api:${key}`), 200],
      ['any user', (key) => basic(`anybody:${key}`), 200],
      ['no user', (key) => basic(`:${key}`), 200],
      ['a scheme in other case', (key) => basic(`api:${key}`).replace('Basic', 'bASIC'), 200],
      ['a token', (key) => `Bearer ${key}`, 200],
      ['a token in lower case', (key) => `bearer ${key}`, 200],
      ['another token', () => 'Bearer nobody', 401],
      ['no password', (key) => basic(key), 401],
      ['no base64', () => 'Basic !', 401],
      ['another scheme', (key) => `Digest ${key}`, 401],
      ['no scheme', (key) => key, 401],
      ['nothing behind the scheme', () => 'Bearer', 401],
    ])('%s', async (_name, header, status) => {
      expect(await statusWith({ authorization: header(service.key) })).toBe(status);
    });

    test.each(Object.values(SERVED).map(({ method, path }) => [method, path] as const))(
      '%s %s wants a key before it reads anything',
      async (method, path) => {
        const response = await fetch(service.server.url + path, {
          method,
          ...(method === 'POST' ? { body: '{"broken' } : {}),
        });
        expect([response.status, await response.json()]).toEqual([
          401,
          expect.objectContaining({ error_code: 'unauthenticated' }),
        ]);
        expect(response.headers.get('www-authenticate')).toBe('Basic realm="svc"');
      },
    );

    test('a key for one entity is forbidden all others', async () => {
      const { key } = createKey(service.server.dataDir ?? '', { name: 'narrow', entities: ['acme'] });
      const headers = { authorization: `Bearer ${key}` };
      const read = async (project_id: string) =>
        refusal(await service.post('/call/read', { project_id, id: 'c' }, headers));
      expect([await read('acme/x'), await read('other/x')]).toEqual(['200', '403 forbidden']);
      const start = { project_id: 'other/x', op_name: 'f', started_at: STARTED };
      expect(
        refusal(await service.post('/call/upsert_batch', { batch: [{ mode: 'start', req: { start } }] }, headers)),
      ).toBe('403 forbidden');
      expect(refusal(await service.post('/refs/read_batch', { refs: ['svc:///other/x/call/c'] }, headers))).toBe(
        '403 forbidden',
      );
    });

    test('the header of exporters counts where the operator wants it, and for spans only', async () => {
      const post = async (url: string, key: string, path: string, headers: Record<string, string> = {}) =>
        (
          await fetch(url + path, {
            method: 'POST',
            headers: { 'svc-api-key': key, project_id: 'acme/x', ...headers },
            body: '{}',
          })
        ).status;
      expect(await post(service.server.url, service.key, '/otel/v1/traces')).toBe(401);
      const open = await openService({ storage: 'memory', otlpKeyHeader: true });
      expect(await post(open.server.url, open.key, '/otel/v1/traces')).toBe(200);
      expect(await post(open.server.url, open.key, '/call/read')).toBe(401);
      await open.close();
    });

    test('health needs no key where the operator wants it', async () => {
      expect(await statusWith({}, '/health')).toBe(401);
      const open = await openService({ storage: 'memory', openHealth: true });
      expect((await fetch(`${open.server.url}/health`)).status).toBe(200);
      expect((await fetch(`${open.server.url}/version`)).status).toBe(401);
      await open.close();
    });

    test('a user who is not the caller is refused in changes, replaced in starts and objects, kept for imports', async () => {
      const { project: project_id } = service;
      const svc_user_id = 'somebody';
      const costs = { m: { prompt_token_cost: 1, completion_token_cost: 1 } };
      const feedback = { project_id, svc_ref: 'svc:///a/b/call/c', feedback_type: 'x', payload: {} };
      const changes = async (user: unknown) => [
        refusal(
          await service.post('/call/update', { project_id, call_id: 'c1', display_name: 'x', svc_user_id: user }),
        ),
        refusal(await service.post('/calls/delete', { project_id, call_ids: [], svc_user_id: user })),
        refusal(await service.post('/cost/create', { project_id, costs, svc_user_id: user })),
        refusal(await service.post('/feedback/create', { ...feedback, svc_user_id: user })),
        refusal(await service.post('/feedback/replace', { ...feedback, feedback_id: 'x', svc_user_id: user })),
      ];
      expect(await changes(svc_user_id)).toEqual(Array(5).fill('400 user_id_not_allowed'));
      expect(await changes('user-1')).toEqual(Array(5).fill('200'));
      expect(await changes(null)).toEqual(Array(5).fill('200'));
      await service.start({ svc_user_id });
      expect(await service.read()).toMatchObject({ svc_user_id: 'user-1' });
      const importer = { authorization: `Bearer ${service.server.apiKey}` };
      const start = { project_id, id: 'c2', op_name: 'f', started_at: STARTED, svc_user_id };
      await service.post('/call/start', { start }, importer);
      await service.post('/obj/create', { obj: { project_id, object_id: 'o', val: 1, svc_user_id } }, importer);
      await service.post('/obj/create', { obj: { project_id, object_id: 'p', val: 1, svc_user_id } });
      expect(await service.read('c2')).toMatchObject({ svc_user_id });
      const { body } = await service.post('/objs/query', { project_id });
      expect(body).toMatchObject({ objs: [{ svc_user_id }, { svc_user_id: 'user-1' }] });
    });
  });

  describe('1.4 and 1.5', () => {
    test('an error has this shape, a validation error its detail', async () => {
      const missing = await service.post('/call/start', { start: { project_id: 'a/b', started_at: STARTED } });
      expect([missing.status, missing.body]).toEqual([
        422,
        {
          reason: '1 validation error',
          error_code: 'validation_error',
          request_id: expect.stringMatching(UUID) as string,
          detail: [{ loc: ['body', 'start', 'op_name'], msg: 'Field required', type: 'missing' }],
        },
      ]);
    });

    test('a write that is repeated changes nothing', async () => {
      const headers = { 'svc-retry-id': 'the same' };
      const start = { project_id: service.project, id: 'c1', op_name: 'f', trace_id: 't', started_at: STARTED };
      const first = await service.post('/call/start', { start }, headers);
      const again = await service.post('/call/start', { start }, headers);
      expect(again.body).toEqual(first.body);
      expect(await service.ids()).toEqual(['c1']);
    });

    test('the service tells its version and the oldest client it knows', async () => {
      expect((await service.get('/version')).body).toMatchObject({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      });
      expect((await service.get('/server_info')).body).toMatchObject({
        min_required_svc_client_version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      });
    });
  });
});

import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const HELLO = { content: 'aGVsbG8gd29ybGQK', digest: 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc' };

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { file_json_bytes: 100_000, file_bytes: 200_000 } });
  });
  afterEach(() => server.close());

  const create = async (fields: object, path = '/file/create') =>
    (await server.post(path, { project_id: PROJECT, name: 'obj.py', ...fields })).body;
  const download = (digest: string, headers: Record<string, string> = {}, path = '/file/content') =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}`, ...headers },
      body: JSON.stringify({ project_id: PROJECT, digest }),
    });

  test('a file is stored under the digest of its bytes and read back as they are', async () => {
    expect(await create({ content: HELLO.content })).toEqual({ digest: HELLO.digest });
    expect(await create({ content: HELLO.content, name: 'other' })).toEqual({ digest: HELLO.digest });
    const response = await download(HELLO.digest);
    expect(await response.text()).toBe('hello world\n');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-length')).toBe('12');
  });

  test('a file of any bytes survives, an empty one too', async () => {
    const bytes = randomBytes(70_000);
    const { digest } = (await create({ content: bytes.toString('base64') })) as { digest: string };
    const response = await download(digest, { 'accept-encoding': 'gzip' });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(response.headers.get('content-length')).toBe('70000');
    expect(await create({ content: '' })).toEqual({ digest: '47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU' });
    expect(await (await download('47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU')).text()).toBe('');
  });

  test('who accepts JSON and nothing that bytes would satisfy gets base64', async () => {
    await create({ content: HELLO.content });
    const bodyFor = async (accept: string) => (await download(HELLO.digest, { accept })).text();
    expect(await bodyFor('application/json')).toBe(`{"content":"${HELLO.content}"}`);
    expect(await bodyFor('text/html, application/json;q=0.5')).toBe(`{"content":"${HELLO.content}"}`);
    expect(await bodyFor('application/json, */*')).toBe('hello world\n');
    expect(await bodyFor('application/json, application/octet-stream')).toBe('hello world\n');
    expect(await bodyFor('text/html')).toBe('hello world\n');
  });

  test('the hidden paths answer in the same way', async () => {
    expect(await create({ content: HELLO.content }, '/files/create')).toEqual({ digest: HELLO.digest });
    expect(await (await download(HELLO.digest, {}, '/files/content')).text()).toBe('hello world\n');
  });

  test.each(['aGVsbG8', 'aGVs bG8=', 'aGVsbG8=\n', 'aGVsbG8-', 'a===', '=aGV', 'aG=V', 'é==='])(
    'the text %j is no standard base64',
    async (content) => {
      expect(await create({ content })).toMatchObject({ error_code: 'invalid_request' });
    },
  );

  test('another digest than the expected one stores nothing and tells the right one', async () => {
    expect(await create({ content: HELLO.content, expected_digest: 'x' })).toMatchObject({
      error_code: 'digest_mismatch',
      actual_digest: HELLO.digest,
    });
    expect((await download(HELLO.digest)).status).toBe(404);
    expect(await create({ content: HELLO.content, expected_digest: HELLO.digest })).toEqual({ digest: HELLO.digest });
  });

  test('a file above the limit is refused', async () => {
    expect(await create({ content: Buffer.alloc(100_000).toString('base64') })).toHaveProperty('digest');
    expect(await create({ content: Buffer.alloc(100_001).toString('base64') })).toMatchObject({
      error_code: 'payload_too_large',
    });
  });

  test('the bytes of the files of a project are added up, each file once', async () => {
    const total = async (fields: object = {}) =>
      (await server.post('/files/query_stats', { project_id: PROJECT, ...fields })).body;
    expect(await total()).toEqual({ total_size_bytes: 0 });
    await create({ content: HELLO.content });
    await create({ content: HELLO.content, name: 'other' });
    await create({ content: 'AAA=' });
    expect(await total()).toEqual({ total_size_bytes: 14 });
    expect(await total({ project_id: 'acme/other' })).toEqual({ total_size_bytes: 0 });
    expect(await total({ project_id: 'acme' })).toMatchObject({ error_code: 'invalid_project_id' });
  });

  test('a file belongs to its project', async () => {
    await create({ content: HELLO.content });
    const elsewhere = await server.post('/file/content', { project_id: 'acme/other', digest: HELLO.digest });
    expect([elsewhere.status, elsewhere.body]).toEqual([404, expect.objectContaining({ error_code: 'not_found' })]);
  });

  const upload = async (form: FormData, headers: Record<string, string> = {}, path = '/file/create') => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}`, ...headers },
      body: form,
    });
    return await response.json();
  };
  const formOf = (parts: Record<string, string | Blob>) => {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) form.set(name, part);
    return form;
  };

  test('a file sent as a form is stored byte for byte', async () => {
    const bytes = randomBytes(150_000);
    const form = formOf({ project_id: PROJECT });
    form.set('file', new Blob([bytes]), 'ü "x".bin');
    const { digest } = (await upload(form)) as { digest: string };
    expect(Buffer.from(await (await download(digest)).arrayBuffer()).equals(bytes)).toBe(true);
    const hello = formOf({ project_id: PROJECT, file: new Blob(['hello world\n']), expected_digest: HELLO.digest });
    expect(await upload(hello, {}, '/files/create')).toEqual({ digest: HELLO.digest });
    expect(await (await download(HELLO.digest)).text()).toBe('hello world\n');
  });

  test('a form may be packed', async () => {
    const form = new Response(formOf({ project_id: PROJECT, file: new Blob(['hello world\n']) }));
    const response = await fetch(`${server.url}/file/create`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.apiKey}`,
        'content-type': form.headers.get('content-type') ?? '',
        'content-encoding': 'gzip',
      },
      body: gzipSync(await form.arrayBuffer()),
    });
    expect(await response.json()).toEqual({ digest: HELLO.digest });
  });

  test.each([
    ['without a file', { project_id: PROJECT }, 'validation_error'],
    ['without a project', { file: new Blob(['x']) }, 'validation_error'],
    ['with an unknown part', { project_id: PROJECT, file: new Blob(['x']), more: 'x' }, 'validation_error'],
    ['with another digest', { project_id: PROJECT, file: new Blob(['x']), expected_digest: 'y' }, 'digest_mismatch'],
    ['for a project that is none', { project_id: 'acme', file: new Blob(['x']) }, 'invalid_project_id'],
    ['whose project is no text', { project_id: new Blob([Buffer.of(0xff)]), file: 'x' }, 'invalid_request'],
  ])('a form %s is refused', async (_name, parts, error_code) => {
    expect(await upload(formOf(parts as Record<string, string | Blob>))).toMatchObject({ error_code });
  });

  test('a form that is broken is refused, and so is one of a file above the limit', async () => {
    const contentType = 'multipart/form-data; boundary=b';
    const send = async (body: string, headers = { 'content-type': contentType }) =>
      (await server.post('/file/create', body, headers)).body;
    expect(await send('--b\r\n')).toMatchObject({ error_code: 'invalid_request' });
    expect(await send('--b--', { 'content-type': 'multipart/form-data' })).toMatchObject({
      error_code: 'invalid_request',
    });
    expect(await send('--b--')).toMatchObject({ error_code: 'validation_error' });
    const large = formOf({ project_id: PROJECT, file: new Blob([Buffer.alloc(200_001)]) });
    expect(await upload(large)).toMatchObject({ error_code: 'payload_too_large' });
    const whole = formOf({ project_id: PROJECT, file: new Blob([Buffer.alloc(200_000)]) });
    expect(await upload(whole)).toHaveProperty('digest');
  });

  test('other endpoints take no form', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await server.post('/file/content', '--b--', headers)).status).toBe(415);
  });
});

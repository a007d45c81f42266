import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whole, wholeError } from '../recorder.ts';
import { type Answer, PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut, refuses } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ limits: { file_bytes: 20 } });
});
afterAll(() => server.close());

const HELLO = { content: 'aGVsbG8gd29ybGQK', digest: 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc' };
const FILE = { project_id: PROJECT, name: 'obj.py', content: HELLO.content, expected_digest: HELLO.digest };
const ask = (fields: object) => ({ ...FILE, ...fields });

describe('/file/create', () => {
  const upload = async (parts: Record<string, string | Blob>): Promise<Answer> => {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) form.set(name, part);
    return await server.send('/file/create', { method: 'POST', body: form });
  };
  const hello = new Blob(['hello world\n']);

  test('stores base64 with every field', async () => {
    expect(whole(await server.post('/file/create', FILE))).toEqual([200, { digest: HELLO.digest }]);
  });

  test('stores a form with every part', async () => {
    const answer = await upload({ project_id: PROJECT, file: hello, expected_digest: HELLO.digest });
    expect(whole(answer)).toEqual([200, { digest: HELLO.digest }]);
  });

  test('refuses forms as it refuses base64', async () => {
    const mismatch = await upload({ project_id: PROJECT, file: hello, expected_digest: 'x' });
    const more = { actual_digest: HELLO.digest };
    expect(whole(mismatch)).toEqual(wholeError(mismatch, 'digest_mismatch', more));
    const large = await upload({ project_id: PROJECT, file: new Blob(['x'.repeat(21)]) });
    expect(whole(large)).toEqual(wholeError(large, 'payload_too_large'));
    const missing = await upload({ project_id: PROJECT });
    const detail = [{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }];
    expect(whole(missing)).toEqual(wholeError(missing, 'validation_error', { detail }));
    const nowhere = await upload({ project_id: 'x', file: hello });
    expect(whole(nowhere)).toEqual(wholeError(nowhere, 'invalid_project_id'));
  });

  refuses('fileCreate', [
    { code: 'validation_error', what: 'a file without a name', body: ask({ name: null }) },
    { code: 'invalid_project_id', what: 'no project', body: ask({ project_id: 'x' }) },
    { code: 'invalid_request', what: 'white space in base64', body: ask({ content: 'aGVs bG8=' }) },
    {
      code: 'invalid_request',
      what: 'a form without end',
      body: '--b\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    },
    {
      code: 'digest_mismatch',
      what: 'another digest',
      body: ask({ expected_digest: 'x' }),
      more: { actual_digest: HELLO.digest },
    },
    { code: 'payload_too_large', what: 'a large file', body: FILE, limits: { file_json_bytes: 11 } },
    { code: 'payload_too_large', what: 'a large request', body: FILE, limits: { file_request_bytes: 20 } },
  ]);
  leavesNothingOut('fileCreate');
});

describe('/file/content', () => {
  const request = { project_id: PROJECT, digest: HELLO.digest };

  test('answers bytes', async () => {
    const { status, headers, text } = await server.post('/file/content', request);
    expect([status, headers.get('content-type'), headers.get('content-length'), text]).toEqual([
      200,
      'application/octet-stream',
      '12',
      'hello world\n',
    ]);
  });

  test('answers base64 for who takes nothing else', async () => {
    const answer = await server.post('/file/content', request, { accept: 'application/json' });
    expect(whole(answer)).toEqual([200, { content: HELLO.content }]);
  });

  refuses('fileContent', [
    { code: 'validation_error', what: 'no digest', body: { project_id: PROJECT } },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x', digest: 'x' } },
    { code: 'not_found', what: 'a digest of nothing', body: { project_id: PROJECT, digest: 'x' } },
  ]);
  leavesNothingOut('fileContent');
});

describe('/files/query_stats', () => {
  test('adds up files, each once', async () => {
    const other = { project_id: PROJECT, name: 'other', content: 'AAA=' };
    await server.post('/file/create', other);
    const answer = await server.post('/files/query_stats', { project_id: PROJECT });
    expect(whole(answer)).toEqual([200, { total_size_bytes: 14 }]);
  });

  refuses('filesQueryStats', [{ code: 'invalid_project_id', what: 'no project', body: { project_id: 'x' } }]);
  leavesNothingOut('filesQueryStats');
});

import { describe, expect, test } from 'vitest';
import { decodeSkeleton } from '../../../src/protocol/page/decode-skeleton.ts';
import { readTraceFileLines, TRACE_FILE } from '../../../src/protocol/page/trace-file.ts';
import { formatCallRef, formatObjectRef } from '../../../src/protocol/ref.ts';
import { createReader } from '../../../src/reader/reader.ts';
import { ENGINES, type RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { makePageFolder } from './page-folder.ts';
import { PROJECT, seed } from './seed.ts';

const startService = serverPerTest();

const HOSTILE = '</script><script>alert(1)</script><!--<script>';
const CALLS = [
  { id: 'root', at: 0, ms: 5000, inputs: { question: HOSTILE }, output: 'Because' },
  { id: 'hostile', parent: 'root', at: 1, ms: 1000, op: HOSTILE },
];

/** The text of the elements of a file, as a browser sees them: an element ends at the first thing that looks like its end. */
function partsOf(html: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const [, attributes = '', text = ''] of html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script/gi)) {
    parts.set(/id="([^"]*)"/.exec(attributes)?.[1] ?? 'code', text);
  }
  return parts;
}

const part = (parts: ReadonlyMap<string, string>, name: keyof typeof TRACE_FILE) => parts.get(TRACE_FILE[name]) ?? '';

describe.each(ENGINES)('a trace as one file, with %s', (storage) => {
  async function start(): Promise<RunningServer> {
    const server = await startService({ storage, pageFolder: makePageFolder() });
    await seed(server, CALLS);
    return server;
  }

  const fileOf = async (service: RunningServer) =>
    await service.get(`/x/trace/html?project_id=${PROJECT}&trace_id=trace-1`);

  test('holds the shape and every call, whatever is in them', async () => {
    const answer = await fileOf(await start());
    expect(answer.status).toBe(200);
    const parts = partsOf(answer.text);
    // Nothing that was recorded is an element of its own.
    expect([...parts.keys()]).toEqual([
      TRACE_FILE.skeleton,
      TRACE_FILE.calls,
      TRACE_FILE.objects,
      TRACE_FILE.files,
      TRACE_FILE.facts,
      'code',
    ]);
    const skeleton = decodeSkeleton(new Uint8Array(Buffer.from(part(parts, 'skeleton'), 'base64')));
    expect(skeleton.ids).toEqual(['root', 'hostile']);
    const calls = readTraceFileLines(part(parts, 'calls'));
    expect(JSON.parse(calls.get('root') ?? '')).toMatchObject({ inputs: { question: HOSTILE }, output: 'Because' });
    expect(JSON.parse(calls.get('hostile') ?? '')).toMatchObject({ op_name: HOSTILE });
  });

  test('may run the viewer and nothing else, and is saved, not shown', async () => {
    const answer = await fileOf(await start());
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(answer.text) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]+';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="trace-trace-1.html"');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  });

  test('has the source and the files that its calls name, and feedback', async () => {
    const service = await start();
    const reader = createReader({ url: service.url, apiKey: service.apiKey, project: PROJECT });
    const digest = await reader.files.create({ name: 'obj.ts', bytes: 'const a = 1 < 2;' });
    const val = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.ts': digest } };
    const version = await reader.objects.create({ object_id: 'work', val });
    const op = formatObjectRef(PROJECT, 'op', 'work', version.digest);
    await seed(service, [{ id: 'traced', parent: 'root', at: 2, op }]);
    const ref = formatCallRef(PROJECT, 'root');
    await reader.feedback.create({ svc_ref: ref, feedback_type: 'svc.note.1', payload: { note: 'good' } });

    const parts = partsOf((await fileOf(service)).text);
    expect(JSON.parse(readTraceFileLines(part(parts, 'objects')).get(op) ?? '')).toMatchObject({ val });
    const bytes = JSON.parse(readTraceFileLines(part(parts, 'files')).get(digest) ?? '') as string;
    expect(Buffer.from(bytes, 'base64').toString()).toBe('const a = 1 < 2;');
    expect(readTraceFileLines(part(parts, 'calls')).get('root')).toContain('"note":"good"');
  });

  test('that nobody knows is not found, and without a key there is none', async () => {
    const service = await start();
    expect(await service.get(`/x/trace/html?project_id=${PROJECT}&trace_id=nope`)).toMatchObject({
      status: 404,
      body: { error_code: 'not_found' },
    });
    expect(await service.get(`/x/trace/html?project_id=${PROJECT}`)).toMatchObject({ status: 400 });
    const asked = await fetch(`${service.url}/x/trace/html?project_id=${PROJECT}&trace_id=trace-1`);
    expect(asked.status).toBe(401);
  });
});

test('without a built page there is no file', async () => {
  const server = await startService({ pageFolder: '/nowhere' });
  await seed(server, CALLS);
  expect(await server.get(`/x/trace/html?project_id=${PROJECT}&trace_id=trace-1`)).toMatchObject({ status: 503 });
});

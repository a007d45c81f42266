import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whole } from '../recorder.ts';
import { PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut, refuses } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

const SPAN = {
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  parentSpanId: 'fedcba9876543210',
  traceState: 'a=b',
  name: 'chat',
  kind: 3,
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: '1767225601500000000',
  status: { code: 2, message: 'no' },
  attributes: [
    text('gen_ai.prompt.0.role', 'user'),
    text('gen_ai.prompt.0.content', 'hi'),
    text('gen_ai.completion.0.content', 'hello'),
    text('gen_ai.response.model', 'gpt-x'),
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '10' } },
    { key: 'gen_ai.usage.output_tokens', value: { intValue: 4 } },
    text('svc.thread_id', 'chat-7'),
    { key: 'svc.is_turn', value: { boolValue: true } },
    text('svc.display_name', 'shown'),
  ],
  events: [{ name: 'tick', timeUnixNano: '1767225600500000000', attributes: [text('n', '1')] }],
  links: [{ traceId: 'ffffffffffffffffffffffffffffffff', spanId: 'ffffffffffffffff' }],
};

const exported = (span: object, resource: object = {}) => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'x' }, spans: [span] }] }],
});
const IN_PROJECT = { attributes: [text('svc.entity', 'acme'), text('svc.project', 'demo')] };

describe('/otel/v1/traces', () => {
  test('makes a call of a span', async () => {
    expect(whole(await server.post('/otel/v1/traces', exported(SPAN, IN_PROJECT)))).toEqual([200, {}]);
    const read = await server.post('/call/read', { project_id: PROJECT, id: SPAN.spanId });
    expect(read.body).toEqual({
      call: {
        id: SPAN.spanId,
        project_id: PROJECT,
        op_name: 'chat',
        display_name: 'shown',
        trace_id: SPAN.traceId,
        parent_id: SPAN.parentSpanId,
        thread_id: 'chat-7',
        turn_id: SPAN.spanId,
        started_at: '2026-01-01T00:00:00Z',
        attributes: { model: 'gpt-x', otel_span: expect.objectContaining({ name: 'chat' }) as unknown },
        inputs: { 'gen_ai.prompt': [{ role: 'user', content: 'hi' }] },
        ended_at: '2026-01-01T00:00:01.500000Z',
        exception: 'no',
        output: { 'gen_ai.completion': [{ content: 'hello' }] },
        summary: {
          usage: { 'gpt-x': { input_tokens: 10, output_tokens: 4, total_tokens: 14 } },
          svc: { status: 'error', trace_name: 'shown', display_name: 'shown', latency_ms: 1500 },
        },
        svc_user_id: 'local',
        svc_run_id: null,
        svc_run_step: null,
        deleted_at: null,
        storage_size_bytes: null,
        total_storage_size_bytes: null,
      },
    });
  });

  test('takes the project of the header', async () => {
    const headers = { project_id: 'acme/other' };
    expect(whole(await server.post('/otel/v1/traces', exported(SPAN), headers))).toEqual([200, {}]);
    const { body } = await server.post('/calls/query_stats', { project_id: 'acme/other' });
    expect(body).toEqual({ count: 1, total_storage_size_bytes: null });
  });

  test('says which spans it left out', async () => {
    const { resourceSpans } = exported(SPAN, IN_PROJECT);
    const bad = exported({ ...SPAN, spanId: '0000000000000000' }, IN_PROJECT);
    const answer = await server.post('/otel/v1/traces', { resourceSpans: [...resourceSpans, ...bad.resourceSpans] });
    const partialSuccess = { rejectedSpans: '1', errorMessage: expect.stringContaining('span') as string };
    expect(whole(answer)).toEqual([200, { partialSuccess }]);
  });

  refuses('otelExportTraces', [
    { code: 'invalid_request', what: 'spans that are no list', body: { resourceSpans: 1 } },
    {
      code: 'invalid_request',
      what: 'bytes that are no protobuf',
      body: 'x',
      headers: { 'content-type': 'application/x-protobuf' },
    },
    { code: 'invalid_project_id', what: 'spans without a project', body: exported(SPAN) },
    { code: 'unsupported_media_type', what: 'a form', body: 'x', headers: { 'content-type': 'multipart/form-data' } },
  ]);
  leavesNothingOut('otelExportTraces');
});

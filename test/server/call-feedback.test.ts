import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine });
    for (const id of ['c1', 'c2']) {
      const start = { project_id: PROJECT, id, op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
      await server.post('/call/start', { start });
    }
  });
  afterEach(() => server.close());

  const lines = async (fields: object) => {
    const { text } = await server.post('/calls/stream_query', { project_id: PROJECT, ...fields });
    return text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { summary: { svc: Record<string, unknown> } }).summary.svc);
  };

  test('calls show the feedback on them when it is asked for', async () => {
    const svc_ref = `svc:///${PROJECT}/call/c1`;
    const { body } = await server.post('/feedback/create', {
      project_id: PROJECT,
      svc_ref,
      feedback_type: 'thumbs',
      payload: { up: true },
    });
    const said = {
      ...(body as object),
      svc_ref,
      feedback_type: 'thumbs',
      creator: null,
      annotation_ref: null,
      runnable_ref: null,
      call_ref: null,
      trigger_ref: null,
    };
    const [first, second] = await lines({ include_feedback: true, columns: ['id'] });
    expect(first?.['feedback']).toEqual([said]);
    expect(second?.['feedback']).toEqual([]);
    expect((await lines({}))[0]).not.toHaveProperty('feedback');
  });
});

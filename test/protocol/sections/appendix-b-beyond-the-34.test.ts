import { describe, expect, test } from 'vitest';
import { STARTED, ENDED, onEveryEngine } from './service.ts';

describe('appendix B, what of it is built', () => {
  onEveryEngine((service) => {
    const path = (end: string) => `/v2/${service.project}/${end}`;
    const call = (fields: object = {}) => ({
      project_id: service.project,
      id: 'c1',
      op_name: 'f',
      trace_id: 't1',
      started_at: STARTED,
      ended_at: ENDED,
      output: { a: 1 },
      exception: null,
      summary: { status_counts: { success: 1 } },
      ...fields,
    });

    test('calls/complete takes fields of the start with ended_at, output, exception and summary, and answers {}', async () => {
      const { status, body } = await service.post(path('calls/complete'), { batch: [call(), call({ id: 'c2' })] });
      expect([status, body]).toEqual([200, {}]);
      expect(await service.ids()).toEqual(['c1', 'c2']);
      expect(await service.read('c1')).toMatchObject({
        trace_id: 't1',
        output: { a: 1 },
        ended_at: ENDED,
        summary: { status_counts: { success: 1 }, svc: { status: 'success' } },
      });
    });

    test.each(['id', 'trace_id'])('calls/complete requires %s', async (field) => {
      const { status } = await service.post(path('calls/complete'), { batch: [call({ [field]: undefined })] });
      expect([status, await service.ids()]).toEqual([422, []]);
    });

    test('call/start answers id and trace_id, call/end answers {}', async () => {
      const { ended_at: _later, ...start } = call();
      const started = await service.post(path('call/start'), { start });
      expect([started.status, started.body]).toEqual([200, { id: 'c1', trace_id: 't1' }]);
      const end = { project_id: service.project, id: 'c1', ended_at: ENDED, output: 'done' };
      const ended = await service.post(path('call/end'), { end });
      expect([ended.status, ended.body]).toEqual([200, {}]);
      expect(await service.read('c1')).toMatchObject({ output: 'done', ended_at: ENDED });
    });

    test('feedback/batch/create answers one create response for each create request', async () => {
      const feedback = (id: string) => ({
        project_id: service.project,
        id,
        svc_ref: `svc:///${service.project}/call/c1`,
        feedback_type: 'mine',
        payload: { id },
      });
      const { status, body } = await service.post('/feedback/batch/create', { batch: [feedback('b'), feedback('a')] });
      const created = (id: string) => ({
        id,
        created_at: expect.any(String) as string,
        svc_user_id: 'user-1',
        payload: { id },
      });
      expect([status, body]).toEqual([200, { res: [created('b'), created('a')] }]);
    });

    test('what is not built is not there', async () => {
      for (const missing of ['/calls/usage', '/feedback/stats', '/table/create_from_digests', '/project/stats'])
        expect([missing, (await service.post(missing, {})).status]).toEqual([missing, 404]);
    });
  });
});

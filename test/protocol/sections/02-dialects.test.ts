import { describe, expect, test } from 'vitest';
import { linesOf, refusal, STARTED, withService } from './service.ts';

const DIGEST = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';

withService(
  (service) => {
    const W = { 'svc-dialect': 'w' };
    /** Posts in the dialect, by its address and by its header in turn. */
    let turn = 0;
    const postW = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      turn += 1;
      return turn % 2 === 0
        ? await service.post(`/dialect/w${path}`, body, headers)
        : await service.post(path, body, { ...W, ...headers });
    };
    const startW = async (fields: object) =>
      await postW('/call/start', {
        start: { project_id: service.project, id: 'c1', op_name: 'f', trace_id: 't1', started_at: STARTED, ...fields },
      });
    const readW = async (more: object = {}) => {
      const { body } = await postW('/call/read', { project_id: service.project, id: 'c1', ...more });
      return (body as { call: Record<string, unknown> }).call;
    };
    const queryW = async (request: object) =>
      linesOf(await postW('/calls/stream_query', { project_id: service.project, ...request })).map(({ id }) => id);
    const field = (path: string, value: unknown) => ({ $expr: { $eq: [{ $getField: path }, { $literal: value }] } });

    describe('the table', () => {
      test('users, runs and steps of calls', async () => {
        const fields = { wb_run_id: 'acme/x/r1', wb_run_step: 3 };
        await startW({ ...fields, wb_user_id: null });
        await postW('/call/end', {
          end: { project_id: service.project, id: 'c1', ended_at: STARTED, wb_run_step_end: 4, summary: {} },
        });
        expect(await readW()).toMatchObject({ ...fields, wb_user_id: 'user-1', wb_run_step_end: 4 });
        expect(await readW()).not.toHaveProperty('svc_run_id');
        expect(await service.read()).toMatchObject({
          svc_user_id: 'user-1',
          svc_run_id: 'acme/x/r1',
          svc_run_step: 3,
          svc_run_step_end: 4,
        });
        expect(await queryW({ filter: { wb_user_ids: ['user-1'], wb_run_ids: ['acme/x/r1'] } })).toEqual(['c1']);
        expect(await queryW({ query: field('wb_run_step', 3) })).toEqual(['c1']);
      });

      test('references in every value, at any depth, that begin with the scheme', async () => {
        const ref = `weave:///${service.project}/object/m:${DIGEST}`;
        await startW({
          inputs: { model: ref, deep: [{ ref }], text: `see ${ref}`, internal: 'weave-trace-internal:///x' },
        });
        const native = ref.replace('weave', 'svc');
        expect(await service.read()).toMatchObject({
          inputs: { model: native, deep: [{ ref: native }], text: `see ${ref}` },
        });
        expect(await readW()).toMatchObject({
          inputs: { model: ref, deep: [{ ref }], text: `see ${ref}`, internal: 'weave-trace-internal:///x' },
        });
        expect(await queryW({ filter: { input_refs: [ref] } })).toEqual(['c1']);
      });

      test('the computed summary and the namespace of clients', async () => {
        await startW({ attributes: { weave: { client_version: '1' } } });
        await postW('/call/end', {
          end: { project_id: service.project, id: 'c1', ended_at: STARTED, summary: { weave: { mine: 1 } } },
        });
        expect(await readW()).toMatchObject({
          attributes: { weave: { client_version: '1' } },
          summary: { weave: { mine: 1, status: 'success', trace_name: 'f', latency_ms: 0 } },
        });
        expect(await service.read()).toMatchObject({
          attributes: { svc: { client_version: '1' } },
          summary: { svc: { mine: 1, status: 'success' } },
        });
        expect(
          await queryW({
            query: field('summary.weave.status', 'success'),
            sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }],
          }),
        ).toEqual(['c1']);
        expect(await queryW({ columns: ['summary.weave.status'] })).toEqual(['c1']);
      });

      test('feedback: its reference, its types and paths to it', async () => {
        const weave_ref = `weave:///${service.project}/call/c1`;
        await startW({});
        const given = await postW('/feedback/create', {
          project_id: service.project,
          weave_ref,
          feedback_type: 'wandb.note.1',
          payload: { note: 'good' },
        });
        expect(given.body).toMatchObject({ wb_user_id: 'user-1', payload: { note: 'good' } });
        const { body } = await postW('/feedback/query', {
          project_id: service.project,
          fields: ['weave_ref', 'feedback_type'],
          query: field('weave_ref', weave_ref),
        });
        expect(body).toEqual({ result: [{ weave_ref, feedback_type: 'wandb.note.1' }] });
        expect(
          (await service.post('/feedback/query', { project_id: service.project, fields: ['svc_ref', 'feedback_type'] }))
            .body,
        ).toEqual({
          result: [{ svc_ref: weave_ref.replace('weave', 'svc'), feedback_type: 'svc.note.1' }],
        });
        expect(await queryW({ query: field('feedback.[wandb.note.1].payload.note', 'good') })).toEqual(['c1']);
        expect(await service.ids({ query: field('feedback.[svc.note.1].payload.note', 'good') })).toEqual(['c1']);
      });

      test('custom types, which have the digest of their native form', async () => {
        const { project: project_id } = service;
        const val = {
          _type: 'CustomWeaveType',
          weave_type: { type: 'Op' },
          files: { 'obj.ts': 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc' },
          load_op: 'NO_LOAD_OP',
        };
        const created = await postW('/obj/create', { obj: { project_id, object_id: 'f', val } });
        expect(created.body).toEqual({ digest: 'ynqx9MZlTmnyIOkyXrjM07r5zcYPz2qVFXAw2FCFJK0', object_id: 'f' });
        const request = { project_id, object_id: 'f', digest: 'latest' };
        expect((await postW('/obj/read', request)).body).toMatchObject({
          obj: { val, wb_user_id: 'user-1', kind: 'op' },
        });
        expect((await service.post('/obj/read', request)).body).toMatchObject({
          obj: { val: { _type: 'CustomType', svc_type: { type: 'Op' } } },
        });
      });

      test('what the service says of itself', async () => {
        for (const answer of [await service.get('/dialect/w/server_info'), await service.get('/server_info', W)]) {
          expect(answer.body).toHaveProperty('min_required_weave_python_version', '0.0.1');
        }
      });

      test('headers: the id of a retry, and the key of exporters', async () => {
        const answer = await postW(
          '/call/read',
          { project_id: service.project, id: 'c1' },
          { 'x-weave-retry-id': 'again' },
        );
        expect(answer.headers.get('x-weave-retry-id') ?? answer.headers.get('svc-request-id')).toBe('again');
        const send = async (headers: Record<string, string>) =>
          (
            await fetch(`${service.server.url}/dialect/w/otel/v1/traces`, {
              method: 'POST',
              headers: { project_id: service.project, ...headers },
              body: '{}',
            })
          ).status;
        expect([await send({ 'wandb-api-key': service.key }), await send({})]).toEqual([200, 401]);
      });

      test('attributes of spans and of their resources', async () => {
        const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
        const [entity = '', project = ''] = service.project.split('/');
        const attributes = [
          text('wandb.display_name', 'shown'),
          text('wandb.thread_id', 'th'),
          { key: 'wandb.is_turn', value: { boolValue: true } },
          text('wandb.attributes', '{"env":"prod"}'),
          { key: 'wandb.wb_run_step', value: { intValue: '3' } },
          { key: 'wandb.wb_run_step_end', value: { intValue: '4' } },
          text('weave.span.kind', 'llm'),
        ];
        const resource = [text('wandb.entity', entity), text('wandb.project', project), text('wandb.wb_run_id', 'r1')];
        const span = {
          traceId: 'a'.repeat(32),
          spanId: 'b'.repeat(16),
          startTimeUnixNano: '1767225600000000000',
          endTimeUnixNano: '1767225601000000000',
          attributes,
        };
        const body = { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ spans: [span] }] }] };
        expect((await postW('/otel/v1/traces', body)).text).toBe('{}');
        expect(await service.read('b'.repeat(16))).toMatchObject({
          display_name: 'shown',
          thread_id: 'th',
          turn_id: 'b'.repeat(16),
          svc_run_id: `${service.project}/r1`,
          svc_run_step: 3,
          svc_run_step_end: 4,
          attributes: { kind: 'llm', env: 'prod' },
        });
      });

      test('the mark of what was too large', async () => {
        await startW({ inputs: { text: 'x'.repeat(2000) } });
        expect(await readW()).toMatchObject({ inputs: { _weave: { error: '<EXCEEDS_LIMITS>' } } });
        expect(await service.read()).toMatchObject({ inputs: { _svc: { error: '<EXCEEDS_LIMITS>' } } });
      });
    });

    describe('the rules', () => {
      test('1: the dialect is named, never guessed, and is that of the answer', async () => {
        await service.start();
        expect(await service.read()).toHaveProperty('svc_user_id');
        expect(await readW()).toHaveProperty('wb_user_id');
        expect(await readW()).not.toHaveProperty('svc_user_id');
        expect(refusal(await service.post('/call/read', '{}', { 'svc-dialect': 'x' }))).toBe('400 invalid_request');
        expect(refusal(await service.post('/dialect/x/call/read', '{}'))).toBe('400 invalid_request');
        expect(
          refusal(
            await service.post('/call/start', {
              start: { project_id: service.project, op_name: `weave:///a/b/op/f:${DIGEST}`, started_at: STARTED },
            }),
          ),
        ).toBe('200');
      });

      test('2: keys inside of values of users stay as they are', async () => {
        const inputs = { wb_user_id: 1, weave_ref: 2, svc_user_id: 3, weave_type: 4, summary: { weave: 5 } };
        await startW({ inputs });
        expect(await service.read()).toMatchObject({ inputs });
        expect(await readW()).toMatchObject({ inputs });
      });

      test('4 and 5: ids are those of the protocol, and unknown keys follow its rules', async () => {
        expect(refusal(await startW({ id: 'not-a-uuid' }))).toBe('200');
        const refused = await postW('/call/read', { project_id: service.project, id: 'c1', wb_nothing: 1 });
        expect([refusal(refused), refused.body]).toEqual([
          '422 validation_error',
          expect.objectContaining({ detail: [expect.objectContaining({ loc: ['body', 'wb_nothing'] })] }),
        ]);
        expect(refusal(await postW('/call/read', { project_id: service.project, id: 'c1', wb_nothing: null }))).toBe(
          '200',
        );
      });
    });
  },
  { storage: 'sqlite', limits: { call_bytes: 1500 } },
);

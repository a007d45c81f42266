import { describe, expect, test } from 'vitest';
import { onEveryEngine, refusal, STARTED, UUID } from './service.ts';

const DIGEST = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';

onEveryEngine((service) => {
  const create = async (object_id: string, val: unknown, project_id = service.project) =>
    ((await service.post('/obj/create', { obj: { project_id, object_id, val } })).body as { digest: string }).digest;

  describe('5.1 a call as it is read', () => {
    const EVERY_KEY = [
      'id project_id op_name display_name trace_id parent_id thread_id turn_id started_at attributes inputs ended_at',
      'exception output summary svc_user_id svc_run_id svc_run_step deleted_at storage_size_bytes total_storage_size_bytes',
    ].flatMap((line) => line.split(' '));

    test('has every key, null where there is no value', async () => {
      await service.start();
      const call = await service.read();
      expect(Object.keys(call ?? {})).toEqual(EVERY_KEY);
      expect(call).toEqual({
        id: 'c1',
        project_id: service.project,
        op_name: 'f',
        display_name: null,
        trace_id: 't1',
        parent_id: null,
        thread_id: null,
        turn_id: null,
        started_at: STARTED,
        attributes: {},
        inputs: {},
        ended_at: null,
        exception: null,
        output: null,
        summary: { svc: { status: 'running', trace_name: 'f' } },
        svc_user_id: 'user-1',
        svc_run_id: null,
        svc_run_step: null,
        deleted_at: null,
        storage_size_bytes: null,
        total_storage_size_bytes: null,
      });
      expect(await service.query()).toEqual([call]);
    });

    test('has the last step only when it was set', async () => {
      await service.start();
      await service.end({ svc_run_step_end: 9 });
      expect(Object.keys((await service.read()) ?? {})).toEqual([...EVERY_KEY, 'svc_run_step_end']);
      expect(await service.read()).toMatchObject({ svc_run_step_end: 9 });
    });
  });

  describe('5.2 a start', () => {
    test.each(['project_id', 'op_name', 'started_at'])('needs %s', async (field) => {
      const answer = await service.start({ [field]: undefined });
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'start', field], msg: 'Field required', type: 'missing' }] },
      });
      expect(refusal(await service.start({ [field]: null }))).toBe('422 validation_error');
    });

    const ref = (kind: string, name = 'f') => `svc:///acme/demo/${kind}/${name}:${DIGEST}`;
    test.each<readonly [name: string, op_name: string, answer: string]>([
      ['one character', 'f', '200'],
      ['128 characters', '😀'.repeat(128), '200'],
      ['129 characters', 'x'.repeat(129), '400 invalid_request'],
      ['no character', '', '400 invalid_request'],
      ['a reference to an op', ref('op'), '200'],
      ['a reference of more than 128 characters', ref('op', 'n'.repeat(128)), '200'],
      ['a reference to an object', ref('object'), '400 invalid_ref'],
      ['a reference to a call', 'svc:///acme/demo/call/c1', '400 invalid_ref'],
      ['no reference', 'svc:///x', '400 invalid_ref'],
    ])('has an op name of %s', async (_name, op_name, answer) => {
      expect(refusal(await service.start({ op_name }))).toBe(answer);
      expect((await service.read())?.['op_name']).toBe(answer === '200' ? op_name : undefined);
    });

    test('has a display name, which is cut when it is too long', async () => {
      await service.start({ id: 'fits', display_name: '😀'.repeat(1024) });
      await service.start({ id: 'long', display_name: '😀'.repeat(1025) });
      await service.start({ id: 'empty', display_name: '' });
      expect(await service.read('fits')).toMatchObject({ display_name: '😀'.repeat(1024) });
      expect(await service.read('long')).toMatchObject({ display_name: `${'😀'.repeat(1021)}...` });
      expect(await service.read('empty')).toMatchObject({ display_name: null });
    });

    test('takes the trace of its parent when that is known and no trace is named', async () => {
      await service.start({ id: 'parent', trace_id: 'family', thread_id: 'th', turn_id: 'parent' });
      await service.start({ id: 'child', trace_id: null, parent_id: 'parent' });
      const orphan = await service.start({ id: 'orphan', trace_id: null, parent_id: 'unknown' });
      expect(await service.read('child')).toMatchObject({ trace_id: 'family', thread_id: null, turn_id: null });
      expect((orphan.body as { trace_id: string }).trace_id).toMatch(UUID);
      expect(await service.read('orphan')).toMatchObject({ parent_id: 'unknown' });
    });

    test('shows a raw span among its attributes', async () => {
      await service.start({ otel_dump: { name: 'span' }, attributes: { env: 'prod' } });
      expect(await service.read()).toMatchObject({ attributes: { env: 'prod', otel_span: { name: 'span' } } });
    });

    test('keeps the name of its run as it is', async () => {
      await service.start({ svc_run_id: 'a/b/run 1', svc_run_step: 5 });
      expect(await service.read()).toMatchObject({ svc_run_id: 'a/b/run 1', svc_run_step: 5 });
    });

    test('is written in the name of the caller, whoever it names', async () => {
      await service.start({ svc_user_id: 'somebody' });
      expect(await service.read()).toMatchObject({ svc_user_id: 'user-1' });
    });
  });

  describe('5.3 an end', () => {
    test.each(['project_id', 'id', 'ended_at'])('needs %s', async (field) => {
      expect(await service.end({ [field]: undefined })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'end', field], msg: 'Field required', type: 'missing' }] },
      });
    });

    test('without anything else has no output, no exception and an empty summary', async () => {
      await service.start();
      expect((await service.end()).body).toEqual({});
      expect(await service.read()).toMatchObject({
        output: null,
        exception: null,
        summary: { svc: { status: 'success', trace_name: 'f', latency_ms: 1000 } },
      });
    });

    test('with an empty exception has none, and its start time is ignored', async () => {
      await service.start();
      await service.end({ exception: '', started_at: '1999-01-01T00:00:00Z' });
      expect(await service.read()).toMatchObject({ exception: null, started_at: STARTED });
    });

    test.each([null, 0, '', false, [], {}, 'text', [1, { a: null }]])('has the output %j', async (output) => {
      await service.start();
      await service.end({ output });
      expect((await service.read())?.['output']).toEqual(output);
    });

    test('names the call anew, cut like the name of a start', async () => {
      await service.start({ display_name: 'first' });
      await service.end({ display_name: 'x'.repeat(1025) });
      expect(await service.read()).toMatchObject({ display_name: `${'x'.repeat(1021)}...` });
    });
  });

  describe('5.4 the summary', () => {
    const svcOf = async () => {
      const [call] = await service.query();
      return (call as unknown as { summary: { svc: Record<string, unknown> } }).summary.svc;
    };

    test('is kept as it was sent, and nothing is added up', async () => {
      const usage = { m: { requests: 1, prompt_tokens: 10, total_tokens: 14, input_tokens: null } };
      await service.start({ id: 'parent' });
      await service.start({ id: 'child', parent_id: 'parent' });
      await service.end({ id: 'child', summary: { usage, status_counts: { success: 3, error: 0 }, mine: [1] } });
      await service.end({ id: 'parent', summary: {} });
      expect(await service.read('child')).toMatchObject({
        summary: { usage, status_counts: { success: 3 }, mine: [1] },
      });
      expect((await service.read('parent'))?.['summary']).not.toHaveProperty('usage');
    });

    test('has computed keys, which a client cannot set, beside others of the client', async () => {
      const names = { status: 'x', latency_ms: -1, trace_name: 'x', display_name: 'x', costs: {}, feedback: [] };
      await service.start();
      await service.end({ summary: { svc: { ...names, mine: 1 } } });
      expect(await svcOf()).toEqual({ mine: 1, status: 'success', latency_ms: 1000, trace_name: 'f' });
    });

    test.each<readonly [name: string, end: object | undefined, status: string]>([
      ['an exception, before all', { exception: 'E', summary: { status_counts: { error: 1 } } }, 'error'],
      ['no end', undefined, 'running'],
      ['errors below', { summary: { status_counts: { error: 1 } } }, 'descendant_error'],
      ['no number of errors below', { summary: { status_counts: { error: '1' } } }, 'success'],
      ['no errors below', { summary: { status_counts: { error: 0 } } }, 'success'],
      ['nothing said', {}, 'success'],
    ])('has the status for %s, the same in reads, filters and sorts', async (_name, end, status) => {
      await service.start();
      if (end) await service.end(end);
      expect(await svcOf()).toMatchObject({ status });
      const query = { $expr: { $eq: [{ $getField: 'summary.svc.status' }, { $literal: status }] } };
      const sort_by = [{ field: 'summary.svc.status', direction: 'asc' }];
      expect(await service.ids({ query, sort_by })).toEqual(['c1']);
    });

    test.each([
      ['2026-01-01T00:00:00.001999Z', 1],
      ['2026-01-01T00:00:00.000999Z', 0],
      ['2026-01-01T00:00:00Z', 0],
      ['2025-12-31T00:00:00Z', 0],
    ])('has the whole milliseconds until %s', async (ended_at, latency_ms) => {
      await service.start();
      await service.end({ ended_at });
      expect(await svcOf()).toMatchObject({ latency_ms });
    });

    test.each<readonly [name: string, start: object, svc: object]>([
      ['the display name', { display_name: 'shown' }, { trace_name: 'shown', display_name: 'shown' }],
      ['else the name in a reference', { op_name: `svc:///a/b/op/predict:${DIGEST}` }, { trace_name: 'predict' }],
      ['else the op name', { op_name: 'plain' }, { trace_name: 'plain' }],
    ])('is named by %s', async (_name, start, svc) => {
      await service.start(start);
      expect(await svcOf()).toEqual({ status: 'running', ...svc });
    });

    test('has costs and feedback only when they are asked for', async () => {
      const { project: project_id } = service;
      const prices = { m: { prompt_token_cost: 1, completion_token_cost: 1 } };
      await service.post('/cost/create', { project_id, costs: prices });
      await service.start();
      await service.end({ summary: { usage: { m: { prompt_tokens: 2 }, free: { prompt_tokens: 2 } } } });
      expect(Object.keys(await svcOf())).toEqual(['status', 'trace_name', 'latency_ms']);
      const [call] = await service.query({ include_costs: true, include_feedback: true });
      const { svc } = (call as unknown as { summary: { svc: { costs: object; feedback: unknown } } }).summary;
      expect([Object.keys(svc.costs), svc.feedback]).toEqual([['m'], []]);
    });
  });

  describe('5.5 an object as it is read', () => {
    const readVersion = async (digest: string, object_id = 'o') => {
      const { body } = await service.post('/obj/read', { project_id: service.project, object_id, digest });
      return (body as { obj: Record<string, unknown> }).obj;
    };

    test('has every key', async () => {
      const digest = await create('o', { é: 1 });
      expect(await readVersion(digest)).toEqual({
        project_id: service.project,
        object_id: 'o',
        created_at: expect.stringMatching(/Z$/) as string,
        deleted_at: null,
        digest,
        version_index: 0,
        is_latest: 1,
        kind: 'object',
        base_object_class: null,
        leaf_object_class: null,
        val: { é: 1 },
        svc_user_id: 'user-1',
        size_bytes: Buffer.byteLength(String.raw`{"\u00e9": 1}`),
      });
    });

    test('numbers its versions by name and kind, and numbers are never used again', async () => {
      const op = { _type: 'CustomType', svc_type: { type: 'Op' }, files: {} };
      for (const val of [1, op, 2]) await create('o', val);
      expect(await readVersion('v1')).toMatchObject({ val: 2, version_index: 1, is_latest: 1, kind: 'object' });
      expect(await readVersion('v0')).toMatchObject({ val: 1, is_latest: 0 });
      await service.post('/obj/delete', { project_id: service.project, object_id: 'o', digests: ['v1'] });
      await create('o', 3);
      expect(await readVersion('latest')).toMatchObject({ val: 3, version_index: 2 });
    });

    test.each<readonly [val: unknown, kind: string]>([
      [{ _type: 'CustomType', svc_type: { type: 'Op' } }, 'op'],
      [{ _type: 'CustomType', weave_type: { type: 'Op' } }, 'op'],
      [{ _type: 'CustomWeaveType', weave_type: { type: 'Op' } }, 'op'],
      [{ _type: 'anything', svc_type: { type: 'Op' } }, 'op'],
      [{ svc_type: { type: 'Op' } }, 'object'],
      [{ _type: 'CustomType', svc_type: { type: 'PIL.Image.Image' } }, 'object'],
      ['op', 'object'],
    ])('%j is of the kind %s', async (val, kind) => {
      expect(await readVersion(await create('o', val))).toMatchObject({ kind });
    });
  });

  test('5.6 and 5.7: rows of one content have one digest, files too, whatever they are named', async () => {
    const { project: project_id } = service;
    const table = await service.post('/table/create', { table: { project_id, rows: [{ a: 1 }, { b: 2 }, { a: 1 }] } });
    const { digest, row_digests } = table.body as { digest: string; row_digests: string[] };
    expect(row_digests[0]).toBe(row_digests[2]);
    const { body } = await service.post('/table/query', { project_id, digest });
    expect(body).toEqual({
      rows: [
        { digest: row_digests[0], val: { a: 1 }, original_index: 0 },
        { digest: row_digests[1], val: { b: 2 }, original_index: 1 },
        { digest: row_digests[0], val: { a: 1 }, original_index: 2 },
      ],
    });
    const file = async (name: string) =>
      (await service.post('/file/create', { project_id, name, content: 'aGk=' })).body;
    expect(await file('one')).toEqual(await file('other'));
  });

  describe('5.8 feedback', () => {
    const give = async (fields: object = {}) =>
      await service.post('/feedback/create', {
        project_id: service.project,
        svc_ref: `svc:///${service.project}/call/c1`,
        feedback_type: 'mine',
        payload: {},
        ...fields,
      });
    const object = (name: string, version = DIGEST) => `svc:///${service.project}/object/${name}:${version}`;
    const op = (name: string) => `svc:///${service.project}/op/${name}:${DIGEST}`;
    const call = () => `svc:///${service.project}/call/c1`;

    test.each(['project_id', 'svc_ref', 'feedback_type', 'payload'])('needs %s', async (field) => {
      expect(refusal(await give({ [field]: undefined }))).toBe('422 validation_error');
    });

    test.each<readonly [name: string, fields: () => object, answer: string]>([
      ['a reference of another project that is nowhere', () => ({ svc_ref: 'svc:///x/y/object/o:v0/key/a' }), '200'],
      ['no reference', () => ({ svc_ref: 'c1' }), '400 invalid_ref'],
      ['a creator of 256 characters', () => ({ creator: 'x'.repeat(256) }), '200'],
      ['a creator of 257', () => ({ creator: 'x'.repeat(257) }), '400 invalid_request'],
      ['a type of 256 characters', () => ({ feedback_type: 'x'.repeat(256) }), '200'],
      ['a type of 257', () => ({ feedback_type: 'x'.repeat(257) }), '400 invalid_request'],
      ['an empty type', () => ({ feedback_type: '' }), '400 invalid_request'],
      ['another user', () => ({ svc_user_id: 'somebody' }), '400 user_id_not_allowed'],
      ['a note', () => ({ feedback_type: 'svc.note.1', payload: { note: 'x'.repeat(1024) } }), '200'],
      [
        'a note of 1025',
        () => ({ feedback_type: 'svc.note.1', payload: { note: 'x'.repeat(1025) } }),
        '400 invalid_request',
      ],
      ['an empty note', () => ({ feedback_type: 'svc.note.1', payload: { note: '' } }), '400 invalid_request'],
      ['a note of the vendor', () => ({ feedback_type: 'wandb.note.1', payload: {} }), '400 invalid_request'],
      ['no emoji', () => ({ feedback_type: 'svc.reaction.1', payload: { emoji: 'x' } }), '400 invalid_request'],
      ['two emoji', () => ({ feedback_type: 'svc.reaction.1', payload: { emoji: '👍👍' } }), '400 invalid_request'],
      [
        'an annotation without its spec',
        () => ({ feedback_type: 'svc.annotation.a', payload: { value: 1 } }),
        '400 invalid_request',
      ],
      [
        'an annotation of a spec that is not there',
        () => ({ feedback_type: 'svc.annotation.a', payload: { value: 1 }, annotation_ref: object('a') }),
        '400 invalid_request',
      ],
      [
        'an annotation without a name',
        () => ({ feedback_type: 'svc.annotation', payload: { value: 1 } }),
        '400 invalid_request',
      ],
      [
        'a runnable without a name',
        () => ({ feedback_type: 'svc.runnable.', payload: { output: 1 } }),
        '400 invalid_request',
      ],
      [
        'a runnable without its reference',
        () => ({ feedback_type: 'svc.runnable.r', payload: { output: 1 } }),
        '400 invalid_request',
      ],
      [
        'a runnable that is an object',
        () => ({ feedback_type: 'svc.runnable.r', payload: { output: 1 }, runnable_ref: object('r') }),
        '200',
      ],
      [
        'a runnable of another name',
        () => ({ feedback_type: 'svc.runnable.r', payload: { output: 1 }, runnable_ref: object('s') }),
        '400 invalid_request',
      ],
      [
        'a runnable without output',
        () => ({ feedback_type: 'svc.runnable.r', payload: {}, runnable_ref: object('r') }),
        '400 invalid_request',
      ],
      [
        'an op without its call',
        () => ({ feedback_type: 'svc.runnable.r', payload: { output: 1 }, runnable_ref: op('r') }),
        '400 invalid_request',
      ],
      [
        'an op with its call',
        () => ({ feedback_type: 'svc.runnable.r', payload: { output: 1 }, runnable_ref: op('r'), call_ref: call() }),
        '200',
      ],
      [
        'other types may have all references',
        () => ({ annotation_ref: object('a'), runnable_ref: op('r'), call_ref: call() }),
        '200',
      ],
      ['an annotation that is a call', () => ({ annotation_ref: call() }), '400 invalid_ref'],
      ['a trigger that is an op', () => ({ trigger_ref: op('r') }), '400 invalid_ref'],
      ['a call that is an object', () => ({ call_ref: object('o') }), '400 invalid_ref'],
      ['a runnable that is a call', () => ({ runnable_ref: call() }), '400 invalid_ref'],
    ])('%s', async (_name, fields, answer) => {
      expect(refusal(await give(fields()))).toBe(answer);
    });

    test('an annotation keeps the schema of its spec, as long as that is there', async () => {
      const field_schema = { type: 'integer', minimum: 1 };
      const digest = await create('stars', {
        _type: 'AnnotationSpec',
        _class_name: 'AnnotationSpec',
        _bases: ['Object', 'BaseModel'],
        field_schema,
      });
      const annotate = async (payload: object, name = 'stars') =>
        refusal(
          await give({ feedback_type: `svc.annotation.${name}`, payload, annotation_ref: object('stars', digest) }),
        );
      expect(await annotate({ value: 1 })).toBe('200');
      expect(await annotate({ value: 0 })).toBe('400 invalid_request');
      expect(await annotate({})).toBe('400 invalid_request');
      expect(await annotate({ value: 1 }, 'other')).toBe('400 invalid_request');
      await service.post('/obj/delete', { project_id: service.project, object_id: 'stars' });
      expect(await annotate({ value: 1 })).toBe('400 invalid_request');
    });

    test('the example: a reaction gets the names of its emoji', async () => {
      const { body } = await give({ feedback_type: 'svc.reaction.1', payload: { emoji: '👍🏻' } });
      expect((body as { payload: object }).payload).toEqual({
        emoji: '👍🏻',
        alias: ':thumbs_up_light_skin_tone:',
        detoned: '👍',
        detoned_alias: ':thumbs_up:',
      });
    });

    test('an id is used once in a project, and the payload has a limit', async () => {
      expect(refusal(await give({ id: 'mine' }))).toBe('200');
      expect(refusal(await give({ id: 'mine' }))).toBe('400 invalid_request');
      expect(refusal(await give({ id: 'mine', project_id: `${service.project}-other` }))).toBe('200');
      const padding = Buffer.byteLength('{"a": ""}');
      expect(refusal(await give({ payload: { a: 'x'.repeat(1024 * 1024 - padding) } }))).toBe('200');
      expect(refusal(await give({ payload: { a: 'x'.repeat(1024 * 1024 - padding + 1) } }))).toBe(
        '400 invalid_request',
      );
    });
  });

  describe('5.9 costs', () => {
    const price = async (fields: object, llm_id = 'gpt-x', project_id = service.project) => {
      const costs = { [llm_id]: { prompt_token_cost: 0.000_01, completion_token_cost: 0.000_03, ...fields } };
      expect((await service.post('/cost/create', { project_id, costs })).status).toBe(200);
    };
    const costsOf = async (usage: object) => {
      await service.start();
      await service.end({ summary: { usage } });
      const call = await service.read('c1', { include_costs: true });
      const { summary } = call as unknown as { summary: { svc: { costs?: Record<string, Record<string, unknown>> } } };
      return summary.svc.costs;
    };

    test('the example', async () => {
      await price({ effective_date: '2024-01-01T00:00:00Z', provider_id: 'openai' });
      const usage = { 'gpt-x': { requests: 1, prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } };
      expect(await costsOf(usage)).toEqual({
        'gpt-x': {
          prompt_tokens: 10,
          completion_tokens: 4,
          requests: 1,
          total_tokens: 14,
          prompt_token_cost: 0.000_01,
          completion_token_cost: 0.000_03,
          prompt_tokens_total_cost: 0.0001,
          completion_tokens_total_cost: 0.000_12,
          prompt_token_cost_unit: 'USD',
          completion_token_cost_unit: 'USD',
          effective_date: '2024-01-01T00:00:00Z',
          provider_id: 'openai',
          pricing_level: 'project',
          pricing_level_id: service.project,
          created_by: 'user-1',
          created_at: expect.stringMatching(/^2.*Z$/) as string,
        },
      });
    });

    test('both names of tokens count, and what is no number counts nothing', async () => {
      await price({});
      expect(
        await costsOf({ 'gpt-x': { prompt_tokens: 1, input_tokens: 2, completion_tokens: 'x', output_tokens: 4 } }),
      ).toMatchObject({
        'gpt-x': { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      });
    });

    test('the price in force comes first, then the later one, then the newer one', async () => {
      await price({ effective_date: '2025-01-01T00:00:00Z', provider_id: 'old' });
      await price({ effective_date: '2025-06-01T00:00:00Z', provider_id: 'first' });
      await price({ effective_date: '2025-06-01T00:00:00Z', provider_id: 'newest' });
      await price({ effective_date: '2027-01-01T00:00:00Z', provider_id: 'future' });
      await price(
        { effective_date: '2025-07-01T00:00:00Z', provider_id: 'foreign' },
        'gpt-x',
        `${service.project}-other`,
      );
      expect(await costsOf({ 'gpt-x': { prompt_tokens: 1 } })).toMatchObject({ 'gpt-x': { provider_id: 'newest' } });
    });

    test('a price of the future is better than none, and without any there is no entry', async () => {
      await price({ effective_date: '2027-01-01T00:00:00Z' });
      await price({}, 'gpt');
      expect(Object.keys((await costsOf({ 'gpt-x': {}, 'gpt-x-mini': { prompt_tokens: 1 } })) ?? {})).toEqual([
        'gpt-x',
      ]);
    });

    test.each(['prompt_token_cost', 'completion_token_cost'])('a price needs %s', async (field) => {
      const costs = { m: { prompt_token_cost: 1, completion_token_cost: 1, [field]: undefined } };
      expect(refusal(await service.post('/cost/create', { project_id: service.project, costs }))).toBe(
        '422 validation_error',
      );
    });
  });

  test('5.10: a thread says what its turns say', async () => {
    const at = (seconds: number) => `2026-01-01T00:00:${String(seconds).padStart(2, '0')}Z`;
    const turn = async (id: string, from: number, to: number | undefined, fields: object = {}) => {
      await service.start({ id, thread_id: 'chat', turn_id: id, started_at: at(from), ...fields });
      if (to !== undefined) await service.end({ id, ended_at: at(to) });
    };
    await turn('b', 10, 12);
    await turn('a', 10, 14);
    await turn('running', 20, undefined);
    await turn('inner', 1, 59, { turn_id: 'a' });
    await turn('elsewhere', 1, 59, { thread_id: 'chat 2' });
    await turn('gone', 1, 59);
    await service.post('/calls/delete', { project_id: service.project, call_ids: ['gone'] });
    const { text } = await service.post('/threads/stream_query', {
      project_id: service.project,
      filter: { thread_ids: ['chat'] },
    });
    expect(JSON.parse(text)).toEqual({
      thread_id: 'chat',
      turn_count: 3,
      start_time: at(10),
      last_updated: at(20),
      first_turn_id: 'a',
      last_turn_id: 'running',
      p50_turn_duration_ms: 3000,
      p99_turn_duration_ms: 3980,
    });
    await turn('alone', 1, undefined, { thread_id: 'alone' });
    const { text: alone } = await service.post('/threads/stream_query', {
      project_id: service.project,
      filter: { thread_ids: ['alone'] },
    });
    expect(JSON.parse(alone)).toMatchObject({
      p50_turn_duration_ms: null,
      p99_turn_duration_ms: null,
      last_updated: at(1),
    });
  });
});

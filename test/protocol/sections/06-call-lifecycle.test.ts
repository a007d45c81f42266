import { describe, expect, test } from 'vitest';
import { ENDED, onEveryEngine, refusal, STARTED } from './service.ts';

/** Ids that a span can have too. */
const ID = '0123456789abcdef';
const TRACE = '0123456789abcdef0123456789abcdef';
const OTHER_TRACE = 'f123456789abcdef0123456789abcdef';

onEveryEngine((service) => {
  const start = async (fields: object = {}) => await service.start({ id: ID, trace_id: TRACE, ...fields });
  const end = async (fields: object = {}) => await service.end({ id: ID, output: 'first', ...fields });
  const update = async (display_name: unknown) =>
    await service.post('/call/update', { project_id: service.project, call_id: ID, display_name });
  const remove = async (...call_ids: string[]) =>
    (await service.post('/calls/delete', { project_id: service.project, call_ids })).body;
  const read = async () => await service.read(ID);
  const exportSpan = async () =>
    await service.post('/otel/v1/traces', spanOf({ name: 'span', traceId: OTHER_TRACE }), {
      project_id: service.project,
    });

  /** Each state of the table, by the events that lead to it. */
  const STATES: Readonly<Record<string, () => Promise<unknown>>> = {
    unknown: async () => undefined,
    'pending with an end': () => end(),
    'pending with an update': () => update('pending'),
    started: () => start({ inputs: { first: 1 } }),
    ended: async () => [await start({ inputs: { first: 1 } }), await end()],
    deleted: async () => [await start(), await remove(ID)],
  };
  const enter = async (state: string) => await STATES[state]?.();

  /** What is seen of the call: nothing, or its status. */
  const seen = async () => {
    const call = await read();
    return call === null ? 'nothing' : (call['summary'] as { svc: { status: string } }).svc.status;
  };

  describe('the states', () => {
    test.each([
      ['unknown', 'nothing'],
      ['pending with an end', 'nothing'],
      ['pending with an update', 'nothing'],
      ['started', 'running'],
      ['ended', 'success'],
      ['deleted', 'nothing'],
    ])('a call that is %s is seen as %s, everywhere', async (state, visible) => {
      await enter(state);
      const isVisible = visible !== 'nothing';
      expect(await seen()).toBe(visible);
      expect(await service.ids()).toEqual(isVisible ? [ID] : []);
      expect((await service.post('/calls/query_stats', { project_id: service.project })).body).toMatchObject({
        count: isVisible ? 1 : 0,
      });
      const refs = [`svc:///${service.project}/call/${ID}`];
      const { vals } = (await service.post('/refs/read_batch', { refs })).body as { vals: unknown[] };
      expect(vals[0] !== null).toBe(isVisible);
    });

    test('an ended call is an error with an exception, and knows of errors below it', async () => {
      await start();
      await end({ summary: { status_counts: { error: 1 } } });
      expect(await seen()).toBe('descendant_error');
      await end({ exception: 'E', summary: { status_counts: { error: 1 } } });
      expect(await seen()).toBe('error');
    });
  });

  describe('a start', () => {
    test('of an unknown call starts it', async () => {
      expect((await start()).body).toEqual({ id: ID, trace_id: TRACE });
      expect(await seen()).toBe('running');
    });

    test('of a call whose end is there makes it ended', async () => {
      await enter('pending with an end');
      expect((await start()).body).toEqual({ id: ID, trace_id: TRACE });
      expect(await seen()).toBe('success');
      expect(await read()).toMatchObject({ output: 'first', ended_at: ENDED });
    });

    test('of a call that was named before has the name', async () => {
      await enter('pending with an update');
      await start({ display_name: 'started' });
      expect(await read()).toMatchObject({ display_name: 'pending' });
    });

    test.each(['started', 'ended'])('of a call that is %s changes nothing: the first wins', async (state) => {
      await enter(state);
      const before = await read();
      const again = await start({ trace_id: OTHER_TRACE, op_name: 'g', inputs: { second: 2 }, attributes: { a: 1 } });
      expect([again.status, again.body]).toEqual([200, { id: ID, trace_id: TRACE }]);
      expect(await read()).toEqual(before);
    });

    test('of a deleted call is answered, and it stays deleted', async () => {
      await enter('deleted');
      expect([(await start()).status, await seen()]).toEqual([200, 'nothing']);
    });
  });

  describe('an end', () => {
    test('of an unknown call waits for its start', async () => {
      expect((await end()).body).toEqual({});
      expect(await seen()).toBe('nothing');
    });

    test('of a pending call takes the place of the one before', async () => {
      await enter('pending with an end');
      expect((await end({ output: 'last' })).body).toEqual({});
      await start();
      expect(await read()).toMatchObject({ output: 'last' });
    });

    test('of a call that was named before keeps the name', async () => {
      await enter('pending with an update');
      await end({ display_name: 'ended' });
      await start();
      expect(await read()).toMatchObject({ display_name: 'pending', output: 'first' });
    });

    test('of a started call ends it', async () => {
      await enter('started');
      expect([(await end()).body, await seen()]).toEqual([{}, 'success']);
    });

    test.each([
      [['first', 1], ['second', undefined], 'first'],
      [['first', 2], ['second', 1], 'first'],
      [['first', 2], ['second', 2], 'second'],
      [['first', 2], ['second', 10], 'second'],
      // What is no count is none.
      [['first', -1], ['second', undefined], 'second'],
      [['first', 1.5], ['second', undefined], 'second'],
      [['first', '3'], ['second', undefined], 'second'],
      [['first', 1e300], ['second', undefined], 'second'],
      [['first', null], ['second', 0], 'second'],
    ] as const)('counts by `summary.end_revision`: of %j and then %j it is the %s', async (first, second, winner) => {
      await start();
      for (const [output, end_revision] of [first, second]) {
        expect(await end({ output, summary: { end_revision, output } })).toMatchObject({ status: 200, body: {} });
      }
      expect(await read()).toMatchObject({ output: winner, summary: { output: winner } });
    });

    test('of an ended call replaces what the last one said, all of it', async () => {
      await start({ display_name: 'started' });
      const summary = { usage: { m: { requests: 1 } } };
      await end({ exception: 'E', output: { a: 1 }, summary, display_name: 'ended' });
      expect(await read()).toMatchObject({ exception: 'E', output: { a: 1 }, summary, display_name: 'ended' });
      expect((await end({ ended_at: '2026-01-01T00:00:02Z', output: undefined })).body).toEqual({});
      expect(await read()).toMatchObject({
        exception: null,
        output: null,
        ended_at: '2026-01-01T00:00:02Z',
        display_name: 'ended',
        summary: { svc: { status: 'success', trace_name: 'ended', display_name: 'ended', latency_ms: 2000 } },
      });
      expect(((await read()) as unknown as { summary: object }).summary).not.toHaveProperty('usage');
      await end({ display_name: 'again' });
      expect(await read()).toMatchObject({ display_name: 'again' });
    });

    test('of a deleted call has no effect', async () => {
      await enter('deleted');
      expect([(await end()).body, await seen()]).toEqual([{}, 'nothing']);
    });
  });

  describe('an update', () => {
    test.each(['unknown', 'pending with an end', 'pending with an update'])(
      'of a call that is %s is kept for its start',
      async (state) => {
        await enter(state);
        expect((await update('named')).body).toEqual({});
        expect(await seen()).toBe('nothing');
        await start();
        expect(await read()).toMatchObject({ display_name: 'named' });
      },
    );

    test.each(['started', 'ended'])('of a call that is %s is applied, and the last wins', async (state) => {
      await enter(state);
      expect((await update('one')).body).toEqual({});
      expect(await read()).toMatchObject({ display_name: 'one' });
      expect((await update('two')).body).toEqual({});
      expect(await read()).toMatchObject({ display_name: 'two', summary: { svc: { trace_name: 'two' } } });
    });

    test('of a deleted call is refused', async () => {
      await enter('deleted');
      expect(refusal(await update('x'))).toBe('404 call_deleted');
    });
  });

  describe('a delete', () => {
    test('of an unknown call is not counted and does nothing', async () => {
      expect(await remove(ID)).toEqual({ num_deleted: 0 });
      await start();
      expect(await seen()).toBe('running');
    });

    test('of a pending call is not counted, and what is pending stays', async () => {
      await end();
      await update('named');
      expect(await remove(ID)).toEqual({ num_deleted: 0 });
      await start();
      expect(await read()).toMatchObject({ output: 'first', display_name: 'named' });
    });

    test.each(['started', 'ended'])('of a call that is %s deletes it', async (state) => {
      await enter(state);
      expect(await remove(ID)).toEqual({ num_deleted: 1 });
      expect(await seen()).toBe('nothing');
    });

    test('of a deleted call is not counted', async () => {
      await enter('deleted');
      expect(await remove(ID, ID)).toEqual({ num_deleted: 0 });
    });

    test('is for ever: no event brings the call back', async () => {
      await enter('deleted');
      await Promise.all([start(), end(), update('x'), exportSpan()]);
      expect(await seen()).toBe('nothing');
    });
  });

  describe('a span', () => {
    const SPAN = { op_name: 'span', trace_id: OTHER_TRACE, ended_at: '2026-01-01T00:00:01.500000Z' };

    test('of an unknown call is its start and its end', async () => {
      expect((await exportSpan()).body).toEqual({});
      expect(await read()).toMatchObject({ ...SPAN, summary: { svc: { status: 'success', latency_ms: 1500 } } });
    });

    test('of a pending call starts it and ends it anew', async () => {
      await end({ exception: 'E' });
      await update('named');
      await exportSpan();
      expect(await read()).toMatchObject({ ...SPAN, exception: null, output: null, display_name: 'named' });
    });

    test.each(['started', 'ended'])('of a call that is %s keeps the start and replaces the end', async (state) => {
      await enter(state);
      await exportSpan();
      expect(await read()).toMatchObject({
        op_name: 'f',
        trace_id: TRACE,
        started_at: STARTED,
        inputs: { first: 1 },
        output: null,
        ended_at: SPAN.ended_at,
      });
    });

    test('of a deleted call is answered, and it stays deleted', async () => {
      await enter('deleted');
      expect([(await exportSpan()).body, await seen()]).toEqual([{}, 'nothing']);
    });
  });

  describe('facts in any order', () => {
    const EVENTS = {
      start: () => start({ display_name: 'started', inputs: { a: 1 } }),
      end: () => end({ display_name: 'ended', exception: 'E' }),
      update: () => update('updated'),
    };
    const orders = permutations(Object.keys(EVENTS) as (keyof typeof EVENTS)[]);

    test.each(orders.map((order) => [order.join(', '), order] as const))('%s make the same call', async (_, order) => {
      for (const event of order) expect((await EVENTS[event]()).status).toBe(200);
      expect(await read()).toMatchObject({
        display_name: 'updated',
        inputs: { a: 1 },
        output: 'first',
        exception: 'E',
        summary: { svc: { status: 'error', trace_name: 'updated', latency_ms: 1000 } },
      });
    });

    test('the items of a batch are applied in their order', async () => {
      const { project: project_id } = service;
      const startItem = (fields: object) => ({
        mode: 'start',
        req: { start: { project_id, id: ID, op_name: 'f', trace_id: TRACE, started_at: STARTED, ...fields } },
      });
      const endItem = (fields: object) => ({
        mode: 'end',
        req: { end: { project_id, id: ID, ended_at: ENDED, ...fields } },
      });
      const batch = [
        endItem({ output: 1, display_name: 'end 1' }),
        startItem({ op_name: 'first', display_name: 'start' }),
        startItem({ op_name: 'second', trace_id: OTHER_TRACE }),
        endItem({ output: 2, display_name: 'end 2' }),
        endItem({ output: 3 }),
      ];
      const known = { id: ID, trace_id: TRACE };
      expect((await service.post('/call/upsert_batch', { batch })).body).toEqual({
        res: [{ id: ID, trace_id: '' }, known, known, known, known],
      });
      expect(await read()).toMatchObject({ op_name: 'first', output: 3, display_name: 'end 2' });
    });

    test.each([
      ['an empty name of an end clears that of the start', ['a', '', undefined], null],
      ['an empty name of an update clears all', ['a', 'b', ''], null],
      ['a null of an end says nothing', ['a', null, undefined], 'a'],
      ['an end beats a start', ['a', 'b', undefined], 'b'],
      ['an update beats both', ['a', 'b', 'c'], 'c'],
      ['an update beats an end without a start of a name', [undefined, 'b', 'c'], 'c'],
      ['an end gives a name to a call without', [null, 'b', undefined], 'b'],
      ['an empty name of a start is none', ['', undefined, undefined], null],
    ] as const)('%s', async (_, [ofStart, ofEnd, ofUpdate], display_name) => {
      const steps = [
        async () => await start({ display_name: ofStart }),
        async () => await end({ display_name: ofEnd }),
        ...(ofUpdate === undefined ? [] : [async () => await update(ofUpdate)]),
      ];
      for (const [index, order] of permutations(steps).entries()) {
        if (index > 0) service.renew();
        for (const step of order) await step();
        expect(await read()).toMatchObject({ display_name });
      }
    });
  });

  describe('a delete cascades', () => {
    const startAll = async (...calls: (readonly [id: string, parent_id: string | null])[]) => {
      for (const [id, parent_id] of calls) await service.start({ id, parent_id });
    };

    test('to all descendants, and to nothing else', async () => {
      await startAll(['a', null], ['b', 'a'], ['c', 'b'], ['sibling', null], ['above', null], ['d', 'c']);
      await service.start({ project_id: `${service.project}-other`, id: 'b', parent_id: 'a' });
      expect(await remove('b')).toEqual({ num_deleted: 3 });
      expect(await service.ids()).toEqual(['a', 'above', 'sibling']);
      const { body } = await service.post('/call/read', { project_id: `${service.project}-other`, id: 'b' });
      expect(body).toMatchObject({ call: { id: 'b' } });
    });

    test('over other traces and round cycles', async () => {
      await startAll(['a', 'c'], ['b', 'a'], ['self', 'self']);
      await service.start({ id: 'c', parent_id: 'b', trace_id: 'other' });
      expect(await remove('a')).toEqual({ num_deleted: 3 });
      expect(await remove('self')).toEqual({ num_deleted: 1 });
    });

    test('over calls that are deleted already', async () => {
      await startAll(['a', null], ['b', 'a'], ['c', 'b']);
      expect(await remove('b', 'a')).toEqual({ num_deleted: 3 });
    });

    test('down any depth', async () => {
      const { project: project_id } = service;
      const batch = Array.from({ length: 9999 }, (_, index) => ({
        mode: 'start',
        req: {
          start: {
            project_id,
            id: `c${index}`,
            parent_id: `c${index - 1}`,
            op_name: 'f',
            trace_id: 't',
            started_at: STARTED,
          },
        },
      }));
      await service.write(batch);
      expect(await remove('c0')).toEqual({ num_deleted: 9999 });
    });
  });

  test('what is not validated: the trace of the parent, the order of times, that parents exist', async () => {
    await service.start({ id: 'parent', trace_id: 'one' });
    await service.start({ id: 'child', parent_id: 'parent', trace_id: 'two' });
    await service.end({ id: 'child', ended_at: '2025-12-31T23:59:59Z' });
    await service.start({ id: 'orphan', parent_id: 'nobody' });
    expect(await service.read('child')).toMatchObject({
      trace_id: 'two',
      ended_at: '2025-12-31T23:59:59Z',
      summary: { svc: { latency_ms: 0, status: 'success' } },
    });
    expect(await service.read('orphan')).toMatchObject({ parent_id: 'nobody' });
  });
});

function spanOf(fields: object): object {
  const span = {
    spanId: ID,
    startTimeUnixNano: `${Date.parse(STARTED)}000000`,
    endTimeUnixNano: `${Date.parse(STARTED) + 1500}000000`,
    ...fields,
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

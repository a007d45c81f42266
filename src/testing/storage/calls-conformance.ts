import { strict as assert } from 'node:assert';
import type { Contracts } from './contract.ts';
import { endFact, NEW_YEAR, PROJECT, readCalls, readIds, SECOND, startFact } from './facts.ts';

/** The life of a call: protocol section 6, and what a batch promises. */
export function callsConformance({ contract }: Contracts): void {
  contract('a new storage has no calls', async (storage) => {
    assert.deepEqual(await readIds(storage), []);
    assert.equal(await storage.calls.get(PROJECT, 'c1'), undefined);
    assert.deepEqual(await storage.calls.write([]), []);
  });

  contract('a start makes a running call with every field as written', async (storage) => {
    const start = startFact('c1', {
      op_name: 'svc:///acme/demo/op/predict:abc',
      display_name: 'first try',
      parent_id: 'p1',
      thread_id: 'thread ü',
      turn_id: 'c1',
      attributes: '{"env":"prod"}',
      inputs: '{"q":"hi"}',
      otel_dump: '{"name":"span"}',
      svc_run_id: 'acme/demo/run',
      svc_run_step: 7,
    });
    assert.deepEqual(await storage.calls.write([start]), [{ id: 'c1', trace_id: 'trace-of-c1' }]);
    assert.deepEqual(await storage.calls.get(PROJECT, 'c1'), {
      project_id: PROJECT,
      id: 'c1',
      op_name: 'svc:///acme/demo/op/predict:abc',
      display_name: 'first try',
      trace_id: 'trace-of-c1',
      parent_id: 'p1',
      thread_id: 'thread ü',
      turn_id: 'c1',
      started_at: NEW_YEAR,
      ended_at: null,
      exception: null,
      attributes: '{"env":"prod"}',
      inputs: '{"q":"hi"}',
      output: null,
      summary: null,
      otel_dump: '{"name":"span"}',
      svc_user_id: 'user-1',
      svc_run_id: 'acme/demo/run',
      svc_run_step: 7,
      svc_run_step_end: null,
    });
  });

  contract('an end completes a call', async (storage) => {
    await storage.calls.write([startFact('c1')]);
    const end = endFact('c1', {
      exception: 'TypeError: no',
      output: '{"a":[1,2.5,null]}',
      summary: '{"usage":{}}',
      svc_run_step_end: 9,
    });
    assert.deepEqual(await storage.calls.write([end]), [{ id: 'c1', trace_id: 'trace-of-c1' }]);
    const call = await storage.calls.get(PROJECT, 'c1');
    assert.equal(call?.ended_at, NEW_YEAR + SECOND);
    assert.equal(call?.exception, 'TypeError: no');
    assert.equal(call?.output, '{"a":[1,2.5,null]}');
    assert.equal(call?.summary, '{"usage":{}}');
    assert.equal(call?.svc_run_step_end, 9);
  });

  contract('a call is invisible until its start arrives', async (storage) => {
    assert.deepEqual(await storage.calls.write([endFact('c1', { output: '1' })]), [{ id: 'c1', trace_id: '' }]);
    assert.equal(await storage.calls.get(PROJECT, 'c1'), undefined);
    assert.deepEqual(await readIds(storage), []);
    await storage.calls.write([startFact('c1')]);
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.output, '1');
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.ended_at, NEW_YEAR + SECOND);
  });

  contract('an end may stand before its start in one batch', async (storage) => {
    const written = await storage.calls.write([endFact('c1', { output: '1' }), startFact('c1')]);
    assert.deepEqual(written, [
      { id: 'c1', trace_id: '' },
      { id: 'c1', trace_id: 'trace-of-c1' },
    ]);
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.output, '1');
  });

  contract('the first start wins and its ids are the answer', async (storage) => {
    await storage.calls.write([startFact('c1', { inputs: '{"n":1}' })]);
    const later = startFact('c1', { trace_id: 'other', inputs: '{"n":2}', op_name: 'g', started_at: NEW_YEAR + 5 });
    assert.deepEqual(await storage.calls.write([later]), [{ id: 'c1', trace_id: 'trace-of-c1' }]);
    const call = await storage.calls.get(PROJECT, 'c1');
    assert.equal(call?.inputs, '{"n":1}');
    assert.equal(call?.op_name, 'f');
    assert.equal(call?.started_at, NEW_YEAR);
  });

  contract(
    'a start that comes again with another time leaves one call in lists, by its id and in traces',
    async (storage) => {
      const hour = 3600 * SECOND;
      await storage.calls.write([startFact('c1', { trace_id: 't' }), startFact('c2', { started_at: NEW_YEAR + hour })]);
      for (const started_at of [NEW_YEAR + 2 * hour, NEW_YEAR - 24 * 40 * hour]) {
        await storage.calls.write([startFact('c1', { started_at, trace_id: 'other' }), endFact('c1')]);
      }
      assert.equal((await storage.calls.get(PROJECT, 'c1'))?.started_at, NEW_YEAR);
      const sort_by = [{ field: 'started_at', direction: 'asc' as const }];
      assert.deepEqual(await readIds(storage, { sort_by }), ['c1', 'c2']);
      assert.deepEqual(await readIds(storage, { filter: { call_ids: ['c1'] } }), ['c1']);
      assert.deepEqual(await readIds(storage, { filter: { trace_ids: ['t'] } }), ['c1']);
      assert.deepEqual(await readIds(storage, { filter: { trace_ids: ['other'] } }), []);
    },
  );

  contract('a start after the end of a started call changes nothing', async (storage) => {
    await storage.calls.write([startFact('c1', { inputs: '{"n":1}' }), endFact('c1', { output: '1' })]);
    await storage.calls.write([startFact('c1', { inputs: '{"n":2}' })]);
    const call = await storage.calls.get(PROJECT, 'c1');
    assert.equal(call?.inputs, '{"n":1}');
    assert.equal(call?.output, '1');
  });

  contract('the last end replaces the one before as a whole', async (storage) => {
    const first = endFact('c1', { exception: 'no', output: '1', summary: '{"a":1}', svc_run_step_end: 3 });
    await storage.calls.write([startFact('c1'), first]);
    await storage.calls.write([endFact('c1', { ended_at: NEW_YEAR + 2 * SECOND, output: '2', summary: '{"b":2}' })]);
    const call = await storage.calls.get(PROJECT, 'c1');
    assert.equal(call?.exception, null);
    assert.equal(call?.output, '2');
    assert.equal(call?.summary, '{"b":2}');
    assert.equal(call?.ended_at, NEW_YEAR + 2 * SECOND);
    assert.equal(call?.svc_run_step_end, null);
  });

  contract('of two ends before the start the last one stays', async (storage) => {
    await storage.calls.write([endFact('c1', { output: '1' }), endFact('c1', { output: '2' })]);
    await storage.calls.write([startFact('c1')]);
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.output, '2');
  });

  contract('writing a batch twice stores it once', async (storage) => {
    const batch = [startFact('c1', { input_refs: ['svc:///acme/demo/object/a:v1'] }), endFact('c1'), startFact('c2')];
    const first = await storage.calls.write(batch);
    const before = await readCalls(storage);
    assert.deepEqual(await storage.calls.write(batch), first);
    assert.deepEqual(await readCalls(storage), before);
    assert.equal(before.length, 2);
  });

  contract('a start without a trace takes the one of its parent', async (storage) => {
    await storage.calls.write([startFact('p'), startFact('a', { trace_id: null, parent_id: 'p' })]);
    assert.equal((await storage.calls.get(PROJECT, 'a'))?.trace_id, 'trace-of-p');
  });

  contract('a start without a trace and without a known parent begins a trace of its own', async (storage) => {
    const orphans = [startFact('a', { trace_id: null, parent_id: 'unknown' }), startFact('b', { trace_id: null })];
    const pending = [endFact('q'), startFact('c', { trace_id: null, parent_id: 'q' })];
    const traceIds = (await storage.calls.write([...orphans, ...pending])).map(({ trace_id }) => trace_id);
    assert.equal(new Set(traceIds).size, 4);
    const stored = await Promise.all(['a', 'b', 'c'].map((id) => storage.calls.get(PROJECT, id)));
    assert.deepEqual(
      [traceIds[0], traceIds[1], traceIds[3]],
      stored.map((call) => call?.trace_id),
    );
  });

  contract('the trace that a start begins has the id that was made for it', async (storage) => {
    const orphan = startFact('b', { trace_id: null, parent_id: 'unknown' });
    assert.deepEqual(await storage.calls.write([orphan]), [{ id: 'b', trace_id: 'made-for-b' }]);
    await storage.calls.write([endFact('q'), startFact('c', { trace_id: null, parent_id: 'q' })]);
    assert.equal((await storage.calls.get(PROJECT, 'c'))?.trace_id, 'made-for-c');
  });

  contract('ids are unique per project', async (storage) => {
    await storage.calls.write([startFact('c1'), startFact('c1', { project_id: 'acme/other', op_name: 'g' })]);
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.op_name, 'f');
    assert.equal((await storage.calls.get('acme/other', 'c1'))?.op_name, 'g');
    assert.deepEqual(await readIds(storage), ['c1']);
    assert.deepEqual(await readIds(storage, { project_id: 'acme/other' }), ['c1']);
  });

  contract('names of projects that look like code are names', async (storage) => {
    for (const project of ['../..', "a'; DROP TABLE calls; --/b", '<script>/x', '_/*']) {
      await storage.calls.write([startFact('c1', { project_id: project })]);
      assert.deepEqual(await readIds(storage, { project_id: project }), ['c1']);
    }
    assert.deepEqual(await readIds(storage), []);
  });

  contract('texts come back with every character', async (storage) => {
    const nasty = 'a\0b "q" \\ \n é 漢 😀 \uff5e \u{10ffff} \u007f';
    const start = startFact('c1', { op_name: nasty, display_name: nasty, svc_run_id: nasty, svc_user_id: nasty });
    const json = JSON.stringify({ [nasty]: nasty, '': '' });
    await storage.calls.write([{ ...start, inputs: json }, endFact('c1', { exception: nasty, output: json })]);
    const call = await storage.calls.get(PROJECT, 'c1');
    assert.deepEqual(
      [call?.op_name, call?.display_name, call?.svc_run_id, call?.svc_user_id, call?.exception],
      [nasty, nasty, nasty, nasty, nasty],
    );
    assert.deepEqual([call?.inputs, call?.output], [json, json]);
    assert.deepEqual(await readCalls(storage), [call]);
  });

  contract('JSON text comes back byte for byte', async (storage) => {
    const json = '{"b":1.0,"a":12345678901234567890,"c":[1e+16,-0.0,1e-05],"d":{"":null}}';
    await storage.calls.write([startFact('c1', { inputs: json }), endFact('c1', { output: json, summary: json })]);
    const call = await storage.calls.get(PROJECT, 'c1');
    assert.deepEqual([call?.inputs, call?.output, call?.summary], [json, json, json]);
    assert.deepEqual(await readCalls(storage), [call]);
  });

  contract('a body of some megabytes comes back', async (storage) => {
    const inputs = JSON.stringify({ text: 'word '.repeat(600_000) });
    await storage.calls.write([startFact('c1', { inputs })]);
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.inputs, inputs);
  });

  contract('times before 1970 and far ahead are times', async (storage) => {
    const early = -8_000_000_000_000_001;
    const late = 8_000_000_000_000_001;
    await storage.calls.write([startFact('b', { started_at: late }), startFact('a', { started_at: early })]);
    assert.deepEqual(
      (await readCalls(storage)).map((call) => call.started_at),
      [early, late],
    );
  });

  contract('a batch of ten thousand facts is written', async (storage) => {
    const ids = Array.from({ length: 5000 }, (_, index) => `c${String(index).padStart(5, '0')}`);
    const written = await storage.calls.write(ids.flatMap((id) => [startFact(id), endFact(id)]));
    assert.equal(written.length, 10_000);
    assert.deepEqual(await readIds(storage), ids);
  });

  contract('fifty writers at once lose nothing', async (storage) => {
    const writers = Array.from({ length: 50 }, (_, index) => index);
    await Promise.all(
      writers.map(async (writer) => {
        for (let step = 0; step < 4; step++) {
          const id = `${writer}-${step}`;
          await storage.calls.write([startFact(id), endFact('shared', { output: String(writer) })]);
          assert.equal((await storage.calls.get(PROJECT, id))?.id, id);
        }
      }),
    );
    await storage.calls.write([startFact('shared')]);
    assert.equal((await readIds(storage)).length, 201);
  });

  contract('a read is a copy', async (storage) => {
    await storage.calls.write([startFact('c1')]);
    const call = await storage.calls.get(PROJECT, 'c1');
    Object.assign(call ?? {}, { op_name: 'changed' });
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.op_name, 'f');
  });

  contract('closing twice is harmless', async (storage) => {
    await storage.checkHealth();
    await storage.close();
    await storage.close();
  });

  contract('a closed storage is not healthy', async (storage) => {
    await storage.close();
    await assert.rejects(storage.checkHealth(), { code: 'unavailable' });
  });
}

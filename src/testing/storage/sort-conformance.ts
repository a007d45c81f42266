import { strict as assert } from 'node:assert';
import type { SortItem } from '../../protocol/query.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { endFact, NEW_YEAR, readCalls, readIds, startFact } from './facts.ts';

const by = (field: string, direction: 'asc' | 'desc'): SortItem => ({ field, direction });

/** Sorting, paging and projection: protocol 7.6, 7.7 and 8. */
export function sortConformance({ contract }: Contracts): void {
  contract('calls come in order of time and id when nothing is asked', async (storage) => {
    const times = { d: 1, b: 2, a: 2, c: 0 };
    await storage.calls.write(
      Object.entries(times).map(([id, time]) => startFact(id, { started_at: NEW_YEAR + time })),
    );
    assert.deepEqual(await readIds(storage), ['c', 'd', 'a', 'b']);
    assert.deepEqual(await readIds(storage, { sort_by: [by('started_at', 'desc')] }), ['b', 'a', 'd', 'c']);
  });

  contract('JSON values sort absent last, numbers before texts, in both directions', async (storage) => {
    await writeInputs(storage, [
      '{"prim":null}',
      '{"not_prim":1}',
      '{"prim":100}',
      '{"prim":2}',
      '{"prim":"b"}',
      '{"prim":"a"}',
    ]);
    const values = async (direction: 'asc' | 'desc') => {
      const calls = await readCalls(storage, { sort_by: [by('inputs.prim', direction)] });
      return calls.map(({ inputs }) => (JSON.parse(inputs ?? '') as { prim?: unknown }).prim ?? null);
    };
    assert.deepEqual(await values('desc'), [100, 2, 'b', 'a', null, null]);
    assert.deepEqual(await values('asc'), [2, 100, 'a', 'b', null, null]);
  });

  contract('strings that are numbers sort as numbers, equal ones by the next key', async (storage) => {
    await writeInputs(storage, ['{"v":"10"}', '{"v":9}', '{"v":1e+2}', '{"v":"9.0"}', '{"v":true}', '{"v":[1]}']);
    const ascending = ['c1', 'c3', 'c0', 'c2', 'c5', 'c4'];
    assert.deepEqual(await readIds(storage, { sort_by: [by('inputs.v', 'asc'), by('id', 'asc')] }), ascending);
    const descending = ['c2', 'c0', 'c3', 'c1', 'c4', 'c5'];
    assert.deepEqual(await readIds(storage, { sort_by: [by('inputs.v', 'desc')] }), descending);
  });

  contract('columns without a value come last in both directions', async (storage) => {
    await storage.calls.write([
      startFact('a', { svc_run_step: 2, thread_id: '\uff5e' }),
      startFact('b', { thread_id: '😀' }),
      startFact('c', { svc_run_step: 10 }),
      endFact('c', { ended_at: NEW_YEAR + 5 }),
    ]);
    assert.deepEqual(await readIds(storage, { sort_by: [by('svc_run_step', 'asc')] }), ['a', 'c', 'b']);
    assert.deepEqual(await readIds(storage, { sort_by: [by('svc_run_step', 'desc')] }), ['c', 'a', 'b']);
    assert.deepEqual(await readIds(storage, { sort_by: [by('thread_id', 'asc')] }), ['a', 'b', 'c']);
    assert.deepEqual(await readIds(storage, { sort_by: [by('thread_id', 'desc')] }), ['b', 'a', 'c']);
    assert.deepEqual(await readIds(storage, { sort_by: [by('ended_at', 'desc')] }), ['c', 'b', 'a']);
  });

  contract('computed fields sort', async (storage) => {
    await storage.calls.write([
      startFact('slow', { op_name: 'z' }),
      endFact('slow', { ended_at: NEW_YEAR + 9_000_000 }),
      startFact('fast', { display_name: 'y' }),
      endFact('fast', { ended_at: NEW_YEAR + 1_000_000, exception: 'no' }),
      startFact('open', { op_name: 'svc:///acme/demo/op/x:v1' }),
    ]);
    const sorted = (field: string) => readIds(storage, { sort_by: [by(field, 'desc')] });
    assert.deepEqual(await sorted('summary.svc.latency_ms'), ['slow', 'fast', 'open']);
    assert.deepEqual(await sorted('summary.svc.status'), ['slow', 'open', 'fast']);
    assert.deepEqual(await sorted('summary.svc.trace_name'), ['slow', 'fast', 'open']);
    assert.deepEqual(await sorted('op_name'), ['slow', 'open', 'fast']);
  });

  contract('limit and offset cut a page out of the order', async (storage) => {
    await writeInputs(
      storage,
      Array.from({ length: 10 }, () => '{}'),
    );
    assert.deepEqual(await readIds(storage, { limit: 3 }), ['c0', 'c1', 'c2']);
    assert.deepEqual(await readIds(storage, { limit: 3, offset: 8 }), ['c8', 'c9']);
    assert.deepEqual(await readIds(storage, { offset: 7 }), ['c7', 'c8', 'c9']);
    assert.deepEqual(await readIds(storage, { limit: 0 }), []);
    assert.deepEqual(await readIds(storage, { offset: 100 }), []);
  });

  contract('bodies that were not asked for are null, everything else is there', async (storage) => {
    const start = startFact('a', { inputs: '{"i":1}', attributes: '{"a":1}', otel_dump: '{"s":1}', display_name: 'x' });
    await storage.calls.write([start, endFact('a', { output: '1', summary: '{"s":1}', exception: 'no' })]);
    const bodies = async (columns: string[]) => {
      const [call] = await readCalls(storage, { columns });
      assert.equal(call?.display_name, 'x');
      assert.equal(call?.exception, 'no');
      assert.equal(call?.ended_at, NEW_YEAR + 1_000_000);
      return [call?.attributes, call?.inputs, call?.output, call?.summary, call?.otel_dump];
    };
    assert.deepEqual(await bodies([]), ['{"a":1}', '{"i":1}', '1', '{"s":1}', '{"s":1}']);
    assert.deepEqual(await bodies(['display_name']), [null, null, null, null, null]);
    assert.deepEqual(await bodies(['inputs.i', 'summary']), [null, '{"i":1}', null, '{"s":1}', null]);
    assert.deepEqual(await bodies(['output']), [null, null, '1', null, null]);
    assert.deepEqual(await bodies(['attributes']), ['{"a":1}', null, null, null, '{"s":1}']);
  });

  contract('conditions and sorts see bodies that are not read', async (storage) => {
    await writeInputs(storage, ['{"v":2}', '{"v":1}', '{"v":null}']);
    const calls = await readCalls(storage, {
      query: { $expr: { $gte: [{ $getField: 'inputs.v' }, { $literal: 0 }] } },
      sort_by: [by('inputs.v', 'asc')],
      columns: ['id'],
    });
    assert.deepEqual(
      calls.map(({ id, inputs }) => [id, inputs]),
      [
        ['c1', null],
        ['c0', null],
      ],
    );
  });
}

/** Calls c0, c1, … with these inputs, a microsecond apart. */
async function writeInputs(storage: Storage, inputs: readonly string[]): Promise<void> {
  await storage.calls.write(
    inputs.map((text, index) => startFact(`c${index}`, { inputs: text, started_at: NEW_YEAR + index })),
  );
}

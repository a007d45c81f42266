import { strict as assert } from 'node:assert';
import type { CallFilter } from '../../protocol/call.ts';
import type { Expression } from '../../protocol/query.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { countCalls, endFact, NEW_YEAR, readIds, startFact } from './facts.ts';

const OP = 'svc:///acme/demo/op/predict:';
const REF = 'svc:///acme/demo/object/model:';

/** The calls that each filter keeps, of those that `writeCalls` writes. */
const CASES: readonly (readonly [string, CallFilter, readonly string[]])[] = [
  ['no constraint', {}, ['a', 'b', 'c', 'd']],
  [
    'empty lists are no constraint',
    { op_names: [], call_ids: [], trace_ids: [], input_refs: [] },
    ['a', 'b', 'c', 'd'],
  ],
  ['an op by its name', { op_names: ['plain'] }, ['c']],
  ['ops by several names', { op_names: ['plain', `${OP}v1`, 'unknown'] }, ['a', 'c']],
  ['every version of an op', { op_names: [`${OP}*`] }, ['a', 'b']],
  ['a version or a name', { op_names: [`${OP}*`, 'plain'] }, ['a', 'b', 'c']],
  ['a star elsewhere is a character', { op_names: ['pl*', '*'] }, []],
  ['a reference among the inputs', { input_refs: [`${REF}v1`] }, ['a', 'b']],
  ['every version of a reference', { input_refs: [`${REF}*`] }, ['a', 'b', 'd']],
  ['a reference in the output', { output_refs: [`${REF}v1`] }, ['c']],
  ['references on both sides', { input_refs: [`${REF}*`], output_refs: [`${REF}v9`] }, ['d']],
  ['a parent', { parent_ids: ['a'] }, ['b', 'c']],
  ['a trace', { trace_ids: ['t2', 't3'] }, ['d']],
  ['ids', { call_ids: ['d', 'a', 'unknown'] }, ['a', 'd']],
  ['threads', { thread_ids: ['chat'] }, ['a', 'b']],
  ['turns', { turn_ids: ['a'] }, ['a', 'b']],
  ['users', { svc_user_ids: ['user-2'] }, ['d']],
  ['a run by its whole id', { svc_run_ids: ['acme/demo/run-1'] }, ['a']],
  ['a run by its last part', { svc_run_ids: ['run-1'] }, ['a', 'b']],
  ['roots', { trace_roots_only: true }, ['a', 'd']],
  ['roots only when asked for', { trace_roots_only: false }, ['a', 'b', 'c', 'd']],
  ['all given keys together', { thread_ids: ['chat'], parent_ids: ['a'], op_names: [`${OP}*`] }, ['b']],
  ['null entries of no column', { parent_ids: ['null', ''] }, []],
];

export function filterConformance({ contract }: Contracts): void {
  contract('every filter keeps exactly what matches', async (storage) => {
    await writeCalls(storage);
    const kept: [string, string[], number][] = [];
    for (const [name, filter] of CASES) {
      kept.push([name, await readIds(storage, { filter }), await countCalls(storage, { filter })]);
    }
    assert.deepEqual(
      kept,
      CASES.map(([name, , ids]) => [name, ids, ids.length]),
    );
  });

  contract('a later end replaces the references of the output', async (storage) => {
    await storage.calls.write([startFact('a'), endFact('a', { output_refs: [`${REF}v1`] })]);
    await storage.calls.write([endFact('a', { output_refs: [`${REF}v2`, `${REF}v3`] })]);
    assert.deepEqual(await readIds(storage, { filter: { output_refs: [`${REF}v1`] } }), []);
    assert.deepEqual(await readIds(storage, { filter: { output_refs: [`${REF}*`] } }), ['a']);
  });

  contract('a start that comes too late adds no references', async (storage) => {
    await storage.calls.write([startFact('a'), startFact('a', { input_refs: [`${REF}v1`] })]);
    assert.deepEqual(await readIds(storage, { filter: { input_refs: [`${REF}v1`] } }), []);
  });

  contract('a list of a thousand ids is a list', async (storage) => {
    await writeCalls(storage);
    const ids = Array.from({ length: 999 }, (_, index) => `x${index}`);
    assert.deepEqual(await readIds(storage, { filter: { call_ids: [...ids, 'b'], trace_ids: [...ids, 't1'] } }), ['b']);
  });

  contract('a filter beside a condition that is never true keeps nothing', async (storage) => {
    await writeCalls(storage);
    const never: Expression = { $eq: [{ $literal: 1 }, { $literal: 2 }] };
    for (const [, filter] of CASES) assert.deepEqual(await readIds(storage, { filter, query: { $expr: never } }), []);
  });

  contract('counting stops at the limit', async (storage) => {
    await writeCalls(storage);
    assert.equal(await countCalls(storage, {}, 3), 3);
    assert.equal(await countCalls(storage, {}, 10), 4);
  });
}

async function writeCalls(storage: Storage): Promise<void> {
  await storage.calls.write([
    startFact('a', {
      op_name: `${OP}v1`,
      trace_id: 't1',
      thread_id: 'chat',
      turn_id: 'a',
      input_refs: [`${REF}v1`, `${REF}v2`],
      svc_run_id: 'acme/demo/run-1',
    }),
    startFact('b', {
      op_name: `${OP}v2`,
      trace_id: 't1',
      parent_id: 'a',
      thread_id: 'chat',
      turn_id: 'a',
      input_refs: [`${REF}v1`],
      svc_run_id: 'run-1',
      started_at: NEW_YEAR + 1,
    }),
    startFact('c', { op_name: 'plain', trace_id: 't1', parent_id: 'a', started_at: NEW_YEAR + 2 }),
    endFact('c', { output_refs: [`${REF}v1`] }),
    startFact('d', {
      op_name: 'svc:///acme/demo/op/predictor:v1',
      trace_id: 't2',
      input_refs: [`${REF}v3`],
      svc_user_id: 'user-2',
      svc_run_id: 'acme/demo/run-10',
      started_at: NEW_YEAR + 3,
    }),
    endFact('d', { output_refs: [`${REF}v9`] }),
  ]);
}

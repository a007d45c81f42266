import { strict as assert } from 'node:assert';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Expression, SortItem } from '../../protocol/query.ts';
import type { Contracts } from './contract.ts';
import { countCalls, NEW_YEAR, newFeedback, PROJECT, readIds, startFact } from './facts.ts';

const SCORE: Expression = { $getField: 'feedback.[score].payload.value' };

/** Queries and orders of calls by the feedback on them. */
export function feedbackQueryConformance({ contract }: Contracts): void {
  contract('a comparison with feedback is TRUE if it is for any, and NULL where there is none', async (storage) => {
    await writeScores(storage, { a: [1, 5], b: [2], c: [], d: [null] });
    const above4: Expression = { $gt: [SCORE, { $literal: 4 }] };
    assert.deepEqual(await idsWhere(storage, above4), ['a']);
    // Of b it is FALSE; of c and d it is NULL.
    assert.deepEqual(await idsWhere(storage, { $not: [above4] }), ['b']);
    assert.deepEqual(await idsWhere(storage, { $eq: [SCORE, { $literal: 2 }] }), ['b']);
    assert.equal(await countCalls(storage, { query: { $expr: above4 } }), 1);
  });

  contract('feedback has a value when any of its type has one', async (storage) => {
    await writeScores(storage, { a: [1, null], b: [null], c: [] });
    const isAbsent: Expression = { $eq: [SCORE, { $literal: null }] };
    assert.deepEqual(await idsWhere(storage, isAbsent), ['b', 'c']);
    assert.deepEqual(await idsWhere(storage, { $not: [isAbsent] }), ['a']);
    const exists: Expression = { $convert: { input: SCORE, to: 'exists' } };
    assert.deepEqual(await idsWhere(storage, exists), ['a']);
    assert.deepEqual(await idsWhere(storage, { $not: [exists] }), ['b', 'c']);
    assert.deepEqual(await idsWhere(storage, { $eq: [exists, { $literal: false }] }), ['b', 'c']);
  });

  contract('lists, searches, conversions and bare operands ask about any feedback', async (storage) => {
    await writeScores(storage, { a: ['ten apples', 3], b: ['3'], c: [true], d: [] });
    const isOneOf = (...items: Expression[]): Expression => ({ $in: [SCORE, items] });
    assert.deepEqual(await idsWhere(storage, isOneOf({ $literal: 3 }, { $literal: 'x' })), ['a', 'b']);
    assert.deepEqual(await idsWhere(storage, { $not: [isOneOf({ $literal: 'x' })] }), ['a', 'b', 'c']);
    assert.deepEqual(
      await idsWhere(storage, { $contains: { input: SCORE, substr: { $literal: 'APPLE' }, case_insensitive: true } }),
      ['a'],
    );
    assert.deepEqual(await idsWhere(storage, { $containsToken: { input: SCORE, substr: { $literal: 'ten' } } }), ['a']);
    const asInteger: Expression = { $convert: { input: SCORE, to: 'int' } };
    assert.deepEqual(await idsWhere(storage, { $gte: [asInteger, { $literal: 3 }] }), ['a', 'b']);
    assert.deepEqual(await idsWhere(storage, SCORE), ['a', 'c']);
  });

  contract('two values of one type are compared within each feedback, of two types in all pairs', async (storage) => {
    await storage.calls.write([startFact('a'), startFact('b')]);
    const say = (id: string, call: string, type: string, payload: string) =>
      storage.feedback.create(newFeedback(id, { svc_ref: refOf(call), feedback_type: type, payload }));
    await say('f1', 'a', 'x', '{"p":1,"q":2}');
    await say('f2', 'a', 'x', '{"p":3,"q":1}');
    await say('f3', 'b', 'x', '{"p":4,"q":4}');
    await say('f4', 'a', 'y', '{"p":3}');
    const value = (path: string): Expression => ({ $getField: `feedback.${path}` });
    assert.deepEqual(await idsWhere(storage, { $eq: [value('[x].payload.p'), value('[x].payload.q')] }), ['b']);
    assert.deepEqual(await idsWhere(storage, { $eq: [value('[x].payload.p'), value('[y].payload.p')] }), ['a']);
    const everyPair: Expression = { $lt: [value('[x].payload.p'), value('[y].payload.p')] };
    assert.deepEqual(await idsWhere(storage, { $not: [everyPair] }), []);
    assert.deepEqual(
      await idsWhere(storage, { $in: [{ $literal: 3 }, [value('[x].payload.p'), value('[y].payload.p')]] }),
      ['a'],
    );
  });

  contract('a list has an item for each feedback, and what is NULL is no item', async (storage) => {
    await storage.calls.write(['3', '4', 'null'].map((v, index) => startFact(`c${index}`, { inputs: `{"v":${v}}` })));
    await storage.feedback.create(
      newFeedback('f1', { svc_ref: refOf('c0'), feedback_type: 'score', payload: '{"value":null}' }),
    );
    await storage.feedback.create(
      newFeedback('f2', { svc_ref: refOf('c0'), feedback_type: 'score', payload: '{"value":3}' }),
    );
    const v: Expression = { $getField: 'inputs.v' };
    const isListed: Expression = { $in: [v, [SCORE, { $getField: 'inputs.nope' }]] };
    assert.deepEqual(await idsWhere(storage, isListed), ['c0']);
    assert.deepEqual(await idsWhere(storage, { $not: [isListed] }), ['c1', 'c2']);
  });

  contract('a condition in a list that is NULL is no item', async (storage) => {
    await storage.calls.write(['1', 'null', '"x"'].map((v, index) => startFact(`c${index}`, { inputs: `{"v":${v}}` })));
    const isOne: Expression = { $eq: [{ $getField: 'inputs.v' }, { $literal: 1 }] };
    const isListed = (operand: Expression): Expression => ({ $in: [operand, [isOne]] });
    // Of c0 the item is TRUE, of c1 and c2 it is NULL.
    assert.deepEqual(await idsWhere(storage, isListed({ $literal: true })), ['c0']);
    assert.deepEqual(await idsWhere(storage, { $not: [isListed({ $literal: true })] }), ['c1', 'c2']);
    assert.deepEqual(await idsWhere(storage, { $not: [isListed({ $getField: 'op_name' })] }), ['c0', 'c1', 'c2']);
    assert.deepEqual(await idsWhere(storage, { $not: [isListed({ $getField: 'inputs.v' })] }), ['c0', 'c1', 'c2']);
    assert.deepEqual(await idsWhere(storage, { $not: [isListed({ $literal: null })] }), ['c1', 'c2']);
  });

  contract('feedback of any type, and only what is on the call itself, counts', async (storage) => {
    await storage.calls.write([startFact('a'), startFact('a2'), startFact('b')]);
    const score = { feedback_type: 'score', payload: '{"value":1}' };
    await storage.feedback.create(newFeedback('f1', { ...score, svc_ref: refOf('a') }));
    await storage.feedback.create(newFeedback('f2', { ...score, svc_ref: `${refOf('a2')}/attr/output` }));
    await storage.feedback.create(newFeedback('f3', { ...score, svc_ref: 'svc:///acme/other/call/b' }));
    await storage.feedback.create(newFeedback('f4', { ...score, svc_ref: refOf('b'), feedback_type: 'scores' }));
    const isOne = (type: string): Expression => ({
      $eq: [{ $getField: `feedback.[${type}].payload.value` }, { $literal: 1 }],
    });
    assert.deepEqual(await idsWhere(storage, isOne('score')), ['a']);
    assert.deepEqual(await idsWhere(storage, isOne('*')), ['a', 'b']);
  });

  contract('references of feedback are texts', async (storage) => {
    await storage.calls.write([startFact('a'), startFact('b'), startFact('c')]);
    const op = `svc:///${PROJECT}/op/judge:v1`;
    const trigger = `svc:///${PROJECT}/object/rule:v1`;
    await storage.feedback.create(newFeedback('f1', { svc_ref: refOf('a'), feedback_type: 'x', runnable_ref: op }));
    await storage.feedback.create(newFeedback('f2', { svc_ref: refOf('b'), feedback_type: 'x', trigger_ref: trigger }));
    const runnable: Expression = { $getField: 'feedback.[x].runnable_ref' };
    assert.deepEqual(await idsWhere(storage, { $eq: [runnable, { $literal: op }] }), ['a']);
    assert.deepEqual(
      await idsWhere(storage, { $eq: [{ $getField: 'feedback.[*].trigger_ref' }, { $literal: trigger }] }),
      ['b'],
    );
    assert.deepEqual(await idsWhere(storage, { $contains: { input: runnable, substr: { $literal: 'judge' } } }), ['a']);
    assert.deepEqual(await idsWhere(storage, { $eq: [runnable, { $literal: null }] }), ['b', 'c']);
    assert.deepEqual(await sortedBy(storage, { field: 'feedback.[x].runnable_ref', direction: 'desc' }), [
      'a',
      'c',
      'b',
    ]);
  });

  contract('calls are sorted by the most recent feedback of a type', async (storage) => {
    await writeScores(storage, { a: [9, 2], b: [1, 10], c: ['text'], d: [], e: [7, null] });
    const by = (direction: 'asc' | 'desc') => sortedBy(storage, { field: 'feedback.[score].payload.value', direction });
    assert.deepEqual(await by('asc'), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(await by('desc'), ['b', 'a', 'c', 'e', 'd']);
    const page = {
      sort_by: [{ field: 'feedback.[score].payload.value', direction: 'desc' as const }],
      limit: 2,
      offset: 1,
    };
    assert.deepEqual(await readIds(storage, page), ['a', 'c']);
  });

  contract('a span of OpenTelemetry is asked about where it is shown', async (storage) => {
    await storage.calls.write([
      startFact('a', { otel_dump: '{"name":"GET","n":2.0}', attributes: '{"x":1}' }),
      startFact('b', { otel_dump: '{"name":"POST","n":1}', attributes: '{"otel_span":{"name":"GET"}}' }),
      startFact('c', { attributes: '{"otel_span":{"name":"PUT"}}' }),
    ]);
    const isNamed = (name: string): Expression => ({
      $eq: [{ $getField: 'attributes.otel_span.name' }, { $literal: name }],
    });
    assert.deepEqual(await idsWhere(storage, isNamed('GET')), ['a']);
    assert.deepEqual(await idsWhere(storage, isNamed('PUT')), ['c']);
    const shown = '{"x":1,"otel_span":{"name":"GET","n":2.0}}';
    assert.deepEqual(await idsWhere(storage, { $eq: [{ $getField: 'attributes' }, { $literal: shown }] }), ['a']);
    assert.deepEqual(await sortedBy(storage, { field: 'attributes.otel_span.n', direction: 'asc' }), ['b', 'a', 'c']);
  });
}

/** Calls, and feedback on each of them with these values, the most recent last. */
async function writeScores(storage: Storage, scores: Readonly<Record<string, readonly unknown[]>>): Promise<void> {
  await storage.calls.write(Object.keys(scores).map((id) => startFact(id)));
  for (const [call, values] of Object.entries(scores)) {
    for (const [index, value] of values.entries()) {
      const fields = { svc_ref: refOf(call), feedback_type: 'score', created_at: NEW_YEAR + index };
      await storage.feedback.create(newFeedback(`${call}${index}`, { ...fields, payload: JSON.stringify({ value }) }));
    }
  }
  // Feedback of other types is not asked about.
  await storage.feedback.create(newFeedback('other', { svc_ref: refOf('c'), payload: '{"value":5}' }));
}

function refOf(call: string): string {
  return `svc:///${PROJECT}/call/${call}`;
}

function idsWhere(storage: Storage, $expr: Expression): Promise<string[]> {
  return readIds(storage, { query: { $expr } });
}

function sortedBy(storage: Storage, item: SortItem): Promise<string[]> {
  return readIds(storage, { sort_by: [item] });
}

import { strict as assert } from 'node:assert';
import type { FeedbackQueryRequest } from '../../protocol/feedback.ts';
import type { Expression } from '../../protocol/query.ts';
import type { StoredFeedback } from '../../storage/contract/feedback.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { NEW_YEAR, newFeedback, PROJECT } from './facts.ts';
import { planOfFeedback } from './plans.ts';

const REFUSED = { code: 'invalid_request' };

const REF = `svc:///${PROJECT}/call/c1`;

/** Feedback on what a reference names. */
export function feedbackConformance({ contract }: Contracts): void {
  contract('feedback comes back as it was written', async (storage) => {
    const feedback = newFeedback('f1', {
      creator: 'Ann\0 ü',
      payload: '{"b":1.0,"a":[12345678901234567890,null,"\\u0000"]}',
      annotation_ref: `svc:///${PROJECT}/object/a:v0`,
      runnable_ref: `svc:///${PROJECT}/op/o:v0`,
      call_ref: `svc:///${PROJECT}/call/c2`,
      trigger_ref: `svc:///${PROJECT}/object/t:v0`,
      queue_id: 'q1',
    });
    await storage.feedback.create(feedback);
    const [read] = await storage.feedback.list(PROJECT);
    assert.deepEqual(withoutService(read), withoutService(feedback));
  });

  contract('feedback may leave out all that is optional', async (storage) => {
    const feedback = newFeedback('f1');
    await storage.feedback.create(feedback);
    const [read] = await storage.feedback.list(PROJECT);
    assert.deepEqual(withoutService(read), withoutService(feedback));
  });

  contract('an id of feedback is taken once, and the second keeps nothing', async (storage) => {
    await storage.feedback.create(newFeedback('f1', { payload: '{"n":1}' }));
    await assert.rejects(storage.feedback.create(newFeedback('f1', { payload: '{"n":2}' })), {
      code: 'invalid_request',
    });
    const [read, ...more] = await storage.feedback.list(PROJECT);
    assert.deepEqual([read?.payload, more.length], ['{"n":1}', 0]);
  });

  contract('feedback is listed by what it is on', async (storage) => {
    await storage.feedback.create(newFeedback('f1'));
    await storage.feedback.create(newFeedback('f2', { svc_ref: 'svc:///acme/other/call/c2' }));
    await storage.feedback.create(newFeedback('f3', { svc_ref: `svc:///${PROJECT}/call/c3` }));
    assert.deepEqual(await idsOf(storage, PROJECT, [REF, 'svc:///acme/other/call/c2']), ['f1', 'f2']);
    assert.deepEqual(await idsOf(storage, PROJECT, ['svc:///acme/demo/call/none']), []);
    assert.deepEqual(await idsOf(storage, PROJECT), ['f1', 'f2', 'f3']);
  });

  contract('feedback is queried by its columns and its payload, sorted and cut into pages', async (storage) => {
    const say = (id: string, payload: string, fields: Partial<StoredFeedback> = {}) =>
      storage.feedback.create(newFeedback(id, { payload, created_at: NEW_YEAR + Number(id.slice(1)), ...fields }));
    await say('f1', '{"n":10,"text":"Ünder"}', { creator: 'x\0y' });
    await say('f2', '{"n":"9"}', { feedback_type: 'note' });
    await say('f3', '{}', { svc_ref: `svc:///${PROJECT}/call/c2` });
    await say('f4', '{"n":10}', { project_id: 'acme/other' });
    const ids = async (request: Partial<FeedbackQueryRequest>) => {
      const plan = planOfFeedback({ project_id: PROJECT, ...request });
      const found = (await storage.feedback.query(plan)).map(({ id }) => id);
      return [found, await storage.feedback.count(plan)];
    };
    const where = ($expr: Expression) => ids({ query: { $expr } });
    const field = (path: string): Expression => ({ $getField: path });
    assert.deepEqual(await ids({}), [['f1', 'f2', 'f3'], 3]);
    assert.deepEqual(await where({ $gte: [field('payload.n'), { $literal: 10 }] }), [['f1'], 1]);
    assert.deepEqual(await where({ $not: [{ $gte: [field('payload.n'), { $literal: 10 }] }] }), [['f2'], 1]);
    const folded = { input: field('payload'), substr: { $literal: 'ünder' }, case_insensitive: true };
    assert.deepEqual(await where({ $contains: folded }), [['f1'], 1]);
    assert.deepEqual(await where({ $in: [field('svc_ref'), [{ $literal: REF }]] }), [['f1', 'f2'], 2]);
    assert.deepEqual(await where({ $eq: [field('creator'), { $literal: 'x\0y' }] }), [['f1'], 1]);
    assert.deepEqual(await where({ $eq: [field('project_id'), { $literal: PROJECT }] }), [['f1', 'f2', 'f3'], 3]);
    assert.deepEqual(await where({ $gt: [field('created_at'), { $literal: '2026-01-01' }] }), [['f1', 'f2', 'f3'], 3]);
    const byNumber = [{ field: 'payload.n', direction: 'asc' as const }];
    assert.deepEqual(await ids({ sort_by: byNumber }), [['f2', 'f1', 'f3'], 3]);
    assert.deepEqual(await ids({ sort_by: byNumber, limit: 1, offset: 1 }), [['f1'], 3]);
    const byType = [{ field: 'feedback_type', direction: 'desc' as const }];
    assert.deepEqual(await ids({ sort_by: byType }), [['f3', 'f1', 'f2'], 3]);
    assert.deepEqual(await ids({ limit: 0 }), [[], 3]);
  });

  contract('feedback takes the place of other feedback', async (storage) => {
    await storage.feedback.create(newFeedback('f1'));
    await storage.feedback.create(newFeedback('f2'));
    await storage.feedback.create(newFeedback('f3'), 'f1');
    assert.deepEqual(await idsOf(storage, PROJECT), ['f2', 'f3']);
    await storage.feedback.create(newFeedback('f4'), 'nobody');
    assert.deepEqual(await idsOf(storage, PROJECT), ['f2', 'f3', 'f4']);
  });

  contract('feedback of one time is listed by its ids', async (storage) => {
    for (const id of ['f2', 'f3', 'f1']) await storage.feedback.create(newFeedback(id));
    const listed = await storage.feedback.list(PROJECT);
    const inOrder = listed.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
    assert.deepEqual(listed, inOrder);
    assert.equal(listed.length, 3);
  });

  contract('feedback takes the place of that with its own id, and of none in another project', async (storage) => {
    await storage.feedback.create(newFeedback('f1'));
    await storage.feedback.create(newFeedback('f1', { project_id: 'acme/other' }));
    await storage.feedback.create(newFeedback('f1', { creator: 'Ann' }), 'f1');
    const [read, ...more] = await storage.feedback.list(PROJECT);
    assert.deepEqual([read?.creator, more.length], ['Ann', 0]);
    assert.deepEqual(await idsOf(storage, 'acme/other'), ['f1']);
  });

  contract('feedback whose id is taken takes no place', async (storage) => {
    await storage.feedback.create(newFeedback('f1'));
    await storage.feedback.create(newFeedback('f2'));
    await assert.rejects(storage.feedback.create(newFeedback('f2'), 'f1'), { code: 'invalid_request' });
    assert.deepEqual(await idsOf(storage, PROJECT), ['f1', 'f2']);
  });

  contract('feedback of a batch is added, whatever its projects', async (storage) => {
    await storage.feedback.createAll([newFeedback('f1'), newFeedback('f2', { project_id: 'acme/other' })]);
    await storage.feedback.createAll([]);
    await storage.feedback.createAll([newFeedback('f2'), newFeedback('f1', { project_id: 'acme/other' })]);
    assert.deepEqual(await idsOf(storage, PROJECT), ['f1', 'f2']);
    assert.deepEqual(await idsOf(storage, 'acme/other'), ['f1', 'f2']);
  });

  contract('a batch of feedback is refused when an id is taken or there twice', async (storage) => {
    await storage.feedback.create(newFeedback('f1'));
    const taken = newFeedback('f1', { creator: 'Ann' });
    await assert.rejects(storage.feedback.createAll([newFeedback('f3'), taken]), REFUSED);
    const twice = [newFeedback('f5'), newFeedback('f5', { creator: 'Ann' })];
    await assert.rejects(storage.feedback.createAll(twice), REFUSED);
    const [first] = await storage.feedback.list(PROJECT);
    assert.deepEqual([first?.id, first?.creator], ['f1', null]);
  });

  contract(
    'feedback of a batch that is refused is not there',
    async (storage) => {
      await storage.feedback.create(newFeedback('f1'));
      const taken = newFeedback('f1', { creator: 'Ann' });
      await assert.rejects(storage.feedback.createAll([newFeedback('f3'), taken, newFeedback('f4')]), REFUSED);
      const twice = [newFeedback('f5'), newFeedback('f5', { creator: 'Ann' })];
      await assert.rejects(storage.feedback.createAll(twice), REFUSED);
      assert.deepEqual(await idsOf(storage, PROJECT), ['f1']);
    },
    'atomicBatches',
  );

  contract('a purge removes the named feedback and leaves the others', async (storage) => {
    for (const id of ['f1', 'f2', 'f3']) await storage.feedback.create(newFeedback(id));
    await storage.feedback.purge(PROJECT, ['f1', 'f3', 'nobody']);
    assert.deepEqual(await idsOf(storage, PROJECT), ['f2']);
  });

  contract('feedback belongs to its project', async (storage) => {
    await storage.feedback.create(newFeedback('f1'));
    await storage.feedback.create(newFeedback('f1', { project_id: 'acme/other', creator: 'other' }));
    await storage.feedback.purge('acme/other', ['f1']);
    assert.deepEqual(await idsOf(storage, 'acme/other'), []);
    assert.deepEqual(await idsOf(storage, PROJECT), ['f1']);
  });
}

async function idsOf(storage: Storage, projectId: string, refs?: readonly string[]): Promise<string[]> {
  return (await storage.feedback.list(projectId, refs)).map(({ id }) => id).sort();
}

/** A service writes the time and the user itself. */
function withoutService(feedback: StoredFeedback | undefined): Partial<StoredFeedback> {
  const { created_at: _at, svc_user_id: _user, ...fields } = feedback ?? newFeedback('missing');
  return fields;
}

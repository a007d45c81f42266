import { strict as assert } from 'node:assert';
import type { Storage, StoredFeedback } from '../storage/storage.ts';
import type { Contracts } from './storage-contract.ts';
import { newFeedback, PROJECT } from './storage-facts.ts';

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

  contract('feedback takes the place of other feedback', async (storage) => {
    await storage.feedback.create(newFeedback('f1'));
    await storage.feedback.create(newFeedback('f2'));
    await storage.feedback.create(newFeedback('f3'), 'f1');
    assert.deepEqual(await idsOf(storage, PROJECT), ['f2', 'f3']);
    await storage.feedback.create(newFeedback('f4'), 'nobody');
    assert.deepEqual(await idsOf(storage, PROJECT), ['f2', 'f3', 'f4']);
  });

  contract('feedback whose id is taken takes no place', async (storage) => {
    await storage.feedback.create(newFeedback('f1'));
    await storage.feedback.create(newFeedback('f2'));
    await assert.rejects(storage.feedback.create(newFeedback('f2'), 'f1'), { code: 'invalid_request' });
    assert.deepEqual(await idsOf(storage, PROJECT), ['f1', 'f2']);
  });

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

import { describe, expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import type { FeedbackPlan, ObjectPlan } from '../../src/storage/contract/plan.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { newFeedback, newObject, PROJECT } from '../../src/testing/storage/facts.ts';

const LONG = 'x'.repeat(10_000);
const OBJECTS: ObjectPlan = { projectId: PROJECT, latestOnly: false, sort: [], offset: 0, metadataOnly: false };
const BY_ID = { field: { kind: 'text', column: 'id' }, isDescending: false } as const;
const FEEDBACK: FeedbackPlan = { projectId: PROJECT, sort: [BY_ID], offset: 0 };

async function openFilled(engine: 'memory' | 'sqlite'): Promise<Storage> {
  const storage = await openStorage({ engine });
  onTestFinished(() => storage.close());
  for (const number of [1, 2, 3]) {
    await storage.objects.create(newObject({ number, LONG }, { object_id: `o${number}` }));
    await storage.feedback.create(newFeedback(`f${number}`, { payload: JSON.stringify({ LONG }) }));
  }
  return storage;
}

describe.each(['memory', 'sqlite'] as const)('on %s', (engine) => {
  test('a list of objects is refused where its values are longer than may be held', async () => {
    const { objects } = await openFilled(engine);
    await expect(objects.query(OBJECTS, { maxCharacters: 25_000 })).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining('more than 25000 characters'),
    });
    expect(await objects.query({ ...OBJECTS, limit: 2 }, { maxCharacters: 25_000 })).toHaveLength(2);
    expect(await objects.query({ ...OBJECTS, metadataOnly: true }, { maxCharacters: 25_000 })).toHaveLength(3);
    expect(await objects.query(OBJECTS)).toHaveLength(3);
  });

  test('a list of feedback is refused where its payloads are longer than may be held', async () => {
    const { feedback } = await openFilled(engine);
    await expect(feedback.query(FEEDBACK, { maxCharacters: 25_000 })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect(await feedback.query({ ...FEEDBACK, limit: 2 }, { maxCharacters: 25_000 })).toHaveLength(2);
    expect(await feedback.query(FEEDBACK)).toHaveLength(3);
  });
});

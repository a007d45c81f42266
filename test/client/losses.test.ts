import { expect, test } from 'vitest';
import { lossesOf } from '../../src/client/losses.ts';

const NONE = { recorded: 9, queued: 0, sent: 9, spooled: 0, dropped: 0 };

test('nothing lost is nothing to say', () => {
  expect(lossesOf({ droppedByReason: {}, objects: NONE, evicted: 0, damaged: 0 })).toBeUndefined();
  expect(lossesOf({ droppedByReason: { refused: 0 }, objects: NONE, evicted: 0, damaged: 0 })).toBeUndefined();
});

test('one line tells calls by reason, objects, and records of earlier programs', () => {
  const droppedByReason = { 'queue-full': 12, refused: 3 };
  expect(lossesOf({ droppedByReason, objects: { ...NONE, dropped: 2 }, evicted: 5, damaged: 4 })).toEqual({
    count: 26,
    message: '26 records were lost: queue-full 12, refused 3, objects 2, evicted 5, damaged 4 (see "spoor doctor")',
  });
});

test('one record is one record', () => {
  expect(lossesOf({ droppedByReason: { exit: 1 }, objects: NONE, evicted: 0, damaged: 0 })?.message).toBe(
    '1 record was lost: exit 1 (see "spoor doctor")',
  );
});

import { expect, test } from 'vitest';
import { mapInTurns } from '../../src/server/ingest/map-in-turns.ts';

/** Takes so many milliseconds, and everybody else waits. */
function spin(durationMs: number): void {
  const end = performance.now() + durationMs;
  while (performance.now() < end);
}

test('others have their turns while many items are mapped, and the order stays', async () => {
  const events: string[] = [];
  setImmediate(() => events.push('other'));
  const work = mapInTurns([1, 2, 3, 4, 5], (item, index) => {
    spin(6);
    return item * 10 + index;
  }).then((results) => {
    events.push('done');
    return results;
  });
  expect(await work).toEqual([10, 21, 32, 43, 54]);
  expect(events).toEqual(['other', 'done']);
});

test('an item that is refused ends it', async () => {
  const refuse = (item: number) => {
    if (item === 2) throw new RangeError('no');
    return item;
  };
  await expect(mapInTurns([1, 2, 3], refuse)).rejects.toThrow('no');
  expect(await mapInTurns([], refuse)).toEqual([]);
});

import { array, assert, constant, integer, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import { Queue } from '../../src/delivery/queue/queue.ts';
import { Ring } from '../../src/delivery/queue/ring.ts';
import { end, start } from './call-records.ts';

test('a ring gives back what it got, in order, however it grows', () => {
  assert(
    property(array(oneof(integer(), constant('shift' as const)), { maxLength: 2000 }), (steps) => {
      const ring = new Ring<number>();
      const model: number[] = [];
      for (const step of steps) {
        if (step !== 'shift') {
          model.push(step);
          ring.push(step);
        } else if (ring.shift() !== model.shift()) throw new Error('The ring lost its order');
        expect(ring.length).toBe(model.length);
        expect(ring.peek()).toBe(model[0]);
      }
      expect(ring.drain()).toEqual(model);
    }),
  );
});

test('finished leaf calls are dropped before their parents, and those before roots', () => {
  const queue = new Queue();
  let sequence = 0;
  const push = (record: ReturnType<typeof start>) => queue.push(record, ++sequence);
  for (let i = 0; i < 10; i++) {
    push(start(`root${i}`));
    push(start(`middle${i}`, { parent: `root${i}` }));
    push(start(`leaf${i}`, { parent: `middle${i}` }));
    push(end(`leaf${i}`));
    push(end(`middle${i}`));
    push(end(`root${i}`));
  }
  const drop = () => queue.dropLeastValuable().map((number) => (number - 1) % 6);
  expect(drop()).toEqual([2, 3, 2, 3, 2, 3]);
  expect(queue.length).toBe(54);
  while (queue.length > 24) expect(drop()).not.toContain(0);
  while (queue.length > 0) queue.dropLeastValuable();
  expect(queue.bytes).toBe(0);
});

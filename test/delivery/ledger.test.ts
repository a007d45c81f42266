import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { Ledger } from '../../src/delivery/queue/ledger.ts';

test('who watches learns the fate of what was recorded before, and only of that', async () => {
  const ledger = new Ledger();
  ledger.settle([ledger.record()], 'sent');
  const [second, third] = [ledger.record(), ledger.record()];
  const { done, result } = ledger.watch();
  const fourth = ledger.record();
  ledger.settle([third, fourth], 'spooled');
  expect(result).toEqual({ sent: 1, spooled: 1, dropped: 0 });
  ledger.drop([second], 'refused');
  await done;
  expect(result).toEqual({ sent: 1, spooled: 1, dropped: 1 });
  expect(ledger.total).toEqual({ sent: 1, spooled: 2, dropped: 1 });
  expect(ledger.droppedByReason()).toEqual({ refused: 1 });
});

test('who watches when nothing waits is done', async () => {
  await expect(new Ledger().watch().done).resolves.toBeUndefined();
});

test('who asks again for the word of the service waits with those before, until more is recorded', async () => {
  const ledger = new Ledger();
  const number = ledger.record();
  const first = ledger.acknowledged();
  expect(ledger.acknowledged()).toBe(first);
  ledger.settle([number], 'spooled');
  ledger.record();
  expect(ledger.acknowledged()).not.toBe(first);
  ledger.deliverSpooled(1);
  await first;
});

test('recorded = queued + sent + spooled + dropped whatever happens', () => {
  const step = constantFrom('record', 'sent', 'spooled', 'drop', 'deliver', 'evict');
  assert(
    property(array(step, { maxLength: 200 }), (steps) => {
      const ledger = new Ledger();
      const open: number[] = [];
      const watched = ledger.watch();
      for (const kind of steps) {
        const next = open.shift();
        if (kind === 'deliver' && ledger.total.spooled > 0) ledger.deliverSpooled(1);
        if (kind === 'evict' && ledger.total.spooled > 0) ledger.dropSpooled(1, 'spool-full');
        if (kind === 'record' || next === undefined) open.push(ledger.record());
        if (next === undefined) continue;
        if (kind === 'sent' || kind === 'spooled') ledger.settle([next], kind);
        else if (kind === 'drop') ledger.drop([next], 'refused');
        else open.unshift(next);
      }
      expect(ledger.queued).toBe(open.length);
      const dropped = Object.values(ledger.droppedByReason()).reduce((total, count) => total + count, 0);
      expect(dropped).toBe(ledger.total.dropped);
      expect(watched.result).toEqual({ sent: 0, spooled: 0, dropped: 0 });
    }),
  );
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Ledger, readLedger } from './ledger.ts';
import { describeMoment, momentOf, problemsOfMoment } from './moment.ts';

const SENT = { firstAt: 10, lastAt: 50 };

function ledgerOf(...lines: readonly string[]): Ledger {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ledger');
  writeFileSync(path, `${lines.join('\n')}\ncut o`);
  return readLedger(path);
}

test('a program that was killed before its handlers had no moment', () => {
  const ledger = ledgerOf('a', '=1 9000000', 'b', '=2 11000000');
  expect(ledger).toMatchObject({ ids: ['a', 'b'], turns: [{ ids: 1 }, { ids: 2 }], signal: undefined });
  expect(momentOf(ledger)).toBe('none');
  expect(describeMoment(ledger, SENT)).toBe('killed 40.0 ms after the signal, 1 turns of its event loop later');
  expect(describeMoment(ledger, { ...SENT, ranMs: 0.04 })).toContain(
    'of its event loop and 0.0 ms of a processor later',
  );
  expect(problemsOfMoment(ledger, SENT)).toEqual([]);
});

test('one that goes on without hearing of a signal has a problem', () => {
  const ledger = ledgerOf('a', '=1 11000000', 'b', '=2 12000000');
  expect(problemsOfMoment(ledger, SENT)).toEqual(['it did not hear of the signal in 2 turns of its event loop']);
});

test('one that was killed in its handlers had a part of a moment', () => {
  const ledger = ledgerOf('a', '? 12000000');
  expect(momentOf(ledger)).toBe('part');
  expect(describeMoment(ledger, SENT)).toBe('2.0 ms after the signal its handlers ran, killed 38.0 ms later');
});

test('one whose handlers have run had all of it', () => {
  const ledger = ledgerOf('a', '? 12000000', '! 15000000', 'b', '? 16000000', '! 16000000');
  expect(ledger.signal).toEqual({ heardAt: 12, ids: 1, handledAt: 15 });
  expect(momentOf(ledger)).toBe('whole');
  expect(describeMoment(ledger, SENT)).toBe(
    '2.0 ms after the signal its handlers ran, for 3.0 ms, killed 40.0 ms after the signal',
  );
});

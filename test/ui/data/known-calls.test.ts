import { expect, test } from 'vitest';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import type { Changes } from '../../../src/ui/data/change-stream.ts';
import { KnownCalls } from '../../../src/ui/data/known-calls.ts';

function changes(given: Partial<Changes>): Changes {
  return { rows: [], gone: [], feedback: [], hasMissed: false, ...given };
}

const rowOf = (id: string, traceId: string) => ({ id, trace_id: traceId }) as CallRow;

/** The calls of a trace of which these were read. */
function known(read: readonly string[] | undefined): KnownCalls {
  return new KnownCalls({ isOwn: (row) => row.trace_id === 'mine', ids: () => read });
}

test('a call that is gone concerns those only who show it', () => {
  const read = ['first', 'second'];
  const calls = known(read);
  expect(calls.concerns(changes({ gone: ['of-another'] }))).toBe(false);
  expect(calls.concerns(changes({ gone: ['of-another', 'second'] }))).toBe(true);
  read.pop();
  expect(calls.concerns(changes({ gone: ['second'] }))).toBe(false);
});

test('one that was told is known before it is in what was read', () => {
  const calls = known(['first']);
  expect(calls.concerns(changes({ rows: [rowOf('late', 'mine'), rowOf('other', 'of-another')] }))).toBe(true);
  expect(calls.concerns(changes({ gone: ['late'] }))).toBe(true);
  expect(calls.concerns(changes({ gone: ['other'] }))).toBe(false);
});

test('before anything was read, and after changes were missed, any change may concern it', () => {
  expect(known(undefined).concerns(changes({ gone: ['somebody'] }))).toBe(true);
  expect(known(['first']).concerns(changes({ hasMissed: true }))).toBe(true);
  expect(known(['first']).concerns(changes({ rows: [rowOf('other', 'of-another')] }))).toBe(false);
});

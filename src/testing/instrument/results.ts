import { strict as assert } from 'node:assert';
import { unhandledDuring } from '../transparency/watching.ts';
import type { Bench } from './bench.ts';
import type { CallUnderTest } from './integration.ts';
import { expectSame, type Seen, seenOf } from './seen.ts';

/** The program gets what it would have got: results, errors, and rejections that nobody handles. */
export function resultsConformance<Client>({ calls, check, bare, captured }: Bench<Client>): void {
  for (const [name, { act, error }] of calls) {
    check(`${name}: a program sees the same with capture`, async () => {
      const expected = await bare((client) => seenOf(() => act(client)));
      expectOutcome(expected, error, 'The check itself is wrong: without capture');
      const seen = await captured((client) => seenOf(() => act(client)));
      expectOutcome(seen, error, 'With capture');
      expectSame(seen, expected);
    });
    if (error === undefined) continue;

    check(`${name}: an error that is handled adds no unhandled rejection`, async () => {
      const unhandled = await unhandledDuring(() => captured((client) => seenOf(() => act(client))));
      assert.deepEqual(unhandled, []);
    });

    check(`${name}: an error that nobody handles stays as unhandled as it was`, async () => {
      const expected = await unhandledDuring(() => bare((client) => neglect(() => act(client))));
      const unhandled = await unhandledDuring(() => captured((client) => neglect(() => act(client))));
      assert.deepEqual(unhandled, expected);
    });
  }
}

function expectOutcome(seen: Seen, error: CallUnderTest<unknown>['error'], who: string): void {
  if (error === undefined) return assert.equal(seen.failed, undefined, `${who} the call fails: ${String(seen.error)}`);
  assert(seen.failed !== undefined, `${who} the call does not fail`);
  if (typeof error !== 'string') return assert.equal(seen.error, error, `${who} the error is not the very object`);
  assert(String(seen.error).includes(error), `${who} the error is another one: ${String(seen.error)}`);
}

/** As a program that has forgotten an `await`. */
async function neglect(act: () => unknown): Promise<void> {
  try {
    act();
  } catch {
    // It was thrown at once: there is no promise that could be neglected.
  }
}

import { strict as assert } from 'node:assert';
import type { RecordedCall } from './subject.ts';

/** An expected call. Members that are left out are not looked at. */
export interface ExpectedCall {
  readonly op: string;
  /** The arguments in their order. */
  readonly inputs?: readonly unknown[];
  /** `null` is no output. */
  readonly output?: unknown;
  /** A part of the error's text; without it the call must have no error. */
  readonly error?: string;
  /** Op of the call that it was made in; `null` is none. */
  readonly under?: string | null;
  /** @default true */
  readonly ended?: boolean;
}

export type Expected = readonly ExpectedCall[] | ((calls: readonly RecordedCall[]) => void);

/** Throws when the calls are not the expected ones. No call at all never is. */
export function matchCalls(calls: readonly RecordedCall[], expected: Expected): void {
  assert(calls.length > 0, 'No call was recorded');
  if (typeof expected === 'function') return expected(calls);
  assert.deepEqual(
    calls.map(({ op }) => op),
    expected.map(({ op }) => op),
    'Other calls were recorded',
  );
  for (const [index, call] of calls.entries()) {
    const wanted = expected[index];
    if (wanted !== undefined) matchCall(call, wanted, calls);
  }
}

function matchCall(call: RecordedCall, wanted: ExpectedCall, calls: readonly RecordedCall[]): void {
  assert.equal(call.ended, wanted.ended ?? true, `The call of "${call.op}" ${call.ended ? 'ended' : 'did not end'}`);
  if (wanted.error === undefined) assert.equal(call.error, undefined, `The call of "${call.op}" failed`);
  else assert(call.error?.includes(wanted.error), `"${call.op}" failed with ${call.error}, not with ${wanted.error}`);
  if ('inputs' in wanted) {
    assert.deepEqual(argumentsOf(call), wanted.inputs, `Other inputs were recorded of "${call.op}"`);
  }
  if ('output' in wanted) {
    assert.deepEqual(call.output ?? null, wanted.output, `Another output was recorded of "${call.op}"`);
  }
  if (wanted.under === undefined) return;
  const parent = call.parent === undefined ? null : calls.find(({ id }) => id === call.parent)?.op;
  assert.equal(parent, wanted.under, `The call of "${call.op}" hangs in another place`);
}

function argumentsOf({ inputs }: RecordedCall): unknown[] {
  if (Array.isArray(inputs)) return inputs;
  if (typeof inputs !== 'object' || inputs === null) return [];
  return Object.entries(inputs).flatMap(([name, value]) => (name === 'self' ? [] : [value as unknown]));
}

import { strict as assert } from 'node:assert';
import type { TraceCall } from '../traces/trace.ts';
import type { Bench } from './bench.ts';
import type { CallUnderTest } from './integration.ts';
import { seenOf } from './seen.ts';

/** Each call is recorded once, with what it was called with and what came of it. */
export function recordsConformance<Client>({ calls, check, captured, recorded }: Bench<Client>): void {
  for (const [name, call] of calls) {
    const run = (client: Client) => seenOf(() => call.act(client));

    check(`${name}: is recorded as one call`, async () => {
      await captured(run);
      await recorded((roots) => expectCall(roots, call));
    });

    check(`${name}: is recorded once where the capture was put there twice`, async () => {
      await captured(run, 2);
      await recorded((roots) => expectCall(roots, call));
    });
  }
}

/** The only call, as it is to be. */
export function expectCall(roots: readonly TraceCall[], expected: CallUnderTest<never>): void {
  const { op, below = [], kind, inputs, output, usage = {}, error } = expected;
  assert.deepEqual(
    roots.map((root) => root.op),
    [op],
    'Other calls are recorded',
  );
  const [call] = roots;
  assert(call !== undefined && call.status !== 'running', `The call of "${op}" has not ended`);
  assert.deepEqual(call.children.flatMap(opsOf), below, `Other calls are recorded below "${op}"`);
  if (kind !== undefined) assert.equal(call.attributes['kind'], kind, `"${op}" is recorded as another kind`);
  if (inputs !== undefined) assert.deepEqual(call.inputs, inputs, `Other inputs of "${op}" are recorded`);
  if ('output' in expected) assert.deepEqual(call.output, output, `Another output of "${op}" is recorded`);
  for (const [model, tokens] of Object.entries(usage)) {
    assert.deepEqual({ ...call.usage[model], ...tokens }, call.usage[model], `Other tokens of "${model}" are recorded`);
  }
  if (error === undefined) assert.equal(call.error, undefined, `The call of "${op}" is recorded as failed`);
  else expectError(call, typeof error === 'string' ? error : error.message);
}

function expectError({ op, error }: TraceCall, text: string): void {
  assert(error !== undefined, `The call of "${op}" is not recorded as failed`);
  assert(error.includes(text), `Another error of "${op}" is recorded: ${error}`);
}

function opsOf({ op, children }: TraceCall): string[] {
  return [op, ...children.flatMap(opsOf)];
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { traced } from '../../src/index.ts';
import { clearTracer, setTracer } from '../../src/tracing/record/tracer.ts';
import { type RecordedCall, transparencyConformance, type TransparencySubject } from '../../src/testing/index.ts';
import type { CallRecord } from '../../src/protocol/record.ts';
import { FAILURES } from './planted-failures.ts';
import { PLANTED, type Planted } from './planted-wrappers.ts';
import { turns, withoutListeners } from './without-listeners.ts';

/** Recorded in memory, which is faster than a service; the last entry of a call counts. */
const calls = new Map<string, RecordedCall>();

function keep(record: CallRecord): void {
  if (record.kind === 'start') {
    const { id, op_name: op, inputs, parent_id: parent } = record.start;
    calls.set(id, call({ id, op, inputs, parent }));
    return;
  }
  const { id, output, exception } = record.end;
  const begun = calls.get(id);
  if (begun) calls.set(id, { ...begun, output, error: exception, ended: true });
}

function call(start: Pick<RecordedCall, 'id' | 'op' | 'inputs' | 'parent'>): RecordedCall {
  return { ...start, output: null, error: undefined, ended: false };
}

const ignore = () => undefined;
const SINK = { writeCall: keep, writeObject: ignore, writeTable: ignore, writeFile: ignore };

beforeAll(() => setTracer({ projectId: 'acme/demo', sink: SINK }));
afterAll(() => clearTracer());

/** They take long, and tell nothing that others do not tell of these wrappers. */
const LONG = /ten thousand|a thousand|two thousand|runaway|abandoned/;

async function failuresOf({ tamper = (one) => one, only = /./, ...planted }: Planted): Promise<string[]> {
  const subject: TransparencySubject = {
    wrap: traced,
    calls: (prefix) => {
      const all = [...calls.values()].filter(({ op }) => op.startsWith(prefix));
      return all.map((one) => tamper(one, all));
    },
    patienceMs: 5,
    deadlineMs: 2_000,
    sections: ['Wrapper'],
    ...planted,
  };
  const tests: { name: string; body: () => Promise<void> }[] = [];
  const state = (name: string, body: () => Promise<void>) =>
    void (only.test(name) && !LONG.test(name) && tests.push({ name, body }));
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    test: Object.assign(state, { skip: () => undefined }),
  };
  calls.clear();
  transparencyConformance(runner, subject);
  const failed: string[] = [];
  await withoutListeners(async () => {
    for (const { name, body } of tests) {
      await body().catch(() => failed.push(name));
      // What a failed check left behind must not reach the next one.
      await turns();
    }
  });
  return failed;
}

test('a wrapper without a defect passes', async () => {
  expect(await failuresOf({})).toEqual([]);
});

describe('a wrapper that', () => {
  test.each(Object.entries(PLANTED))('%s fails', async (name, planted) => {
    const failed = await failuresOf(planted);
    expect(failed).toEqual(FAILURES[name]);
  });
});

import { hostname } from 'node:os';
import type { Reader } from '../../src/reader/reader.ts';
import { type Plan, recordsOf, writeRecords } from '../../examples/seeds/plan.ts';

/** Traces of which each is in another state, by their ids. */
export const STATES = {
  running: 'trace-running',
  neverEnded: 'trace-never',
  partial: 'trace-partial',
  huge: 'trace-huge',
  cached: 'trace-cached',
  thread: 'thread-of-states',
} as const;

/** Below the first call of the huge trace, and below each of these. */
export const HUGE = { groups: 20, perGroup: 1030 } as const;

/** No system gives a process this number, so that what is open never ended. */
const GONE_PID = 0x3f_ff_ff_ff;
const HOUR_MS = 3_600_000;

export async function seedStates(reader: Reader): Promise<void> {
  const now = Date.now();
  await writeRecords(reader, recordsOf({ ...step('run_on'), isOpen: true }, now - 4000, { traceId: STATES.running }));
  const gone = { svc: { host: hostname(), pid: GONE_PID } };
  const never = { ...step('die_early'), isOpen: true, attributes: gone, calls: [step('was_fast')] };
  await writeRecords(reader, recordsOf(never, now - HOUR_MS, { traceId: STATES.neverEnded }));
  const usage = { model: 'gpt-5-mini', input: 20, output: 50, cached: 80 };
  const asks = { ...step('ask_model'), calls: [{ ...step('chat'), kind: 'llm', usage }] };
  await writeRecords(reader, recordsOf(asks, now - HOUR_MS, { traceId: STATES.cached }));
  await writeRecords(reader, partial(now - HOUR_MS));
  await writeRecords(reader, recordsOf(huge(), now - 2 * HOUR_MS, { traceId: STATES.huge }));
  const turn = { ...step('answer'), inputs: { question: 'Is the kettle out of stock?' }, output: 'Until Monday.' };
  await writeRecords(reader, recordsOf(turn, now - HOUR_MS, { traceId: 'turn-1', threadId: STATES.thread }));
  await writeRecords(reader, recordsOf(step('long_ago'), now - 30 * 24 * HOUR_MS));
}

/** A parent that never came, a clock that goes behind that of the caller, and payloads that were cut. */
function partial(began: number): readonly object[] {
  const early = { ...step('clock_behind'), fromMs: -900 };
  const cut = {
    text: `The beginning of a long text …[cut: 1234567 characters]`,
    list: ['first', '…[3999 more of 4000 items]'],
    file: { _svc: { error: '<EXCEEDS_LIMITS>' } },
  };
  const whole = { ...step('partly_here'), id: 'partly-here', inputs: cut, output: 'kept', calls: [early] };
  const lost = recordsOf(step('lost_parent'), began, { traceId: STATES.partial, parentId: 'never-came' });
  return [...recordsOf(whole, began, { traceId: STATES.partial }), ...lost];
}

function huge(): Plan {
  const names = Array.from({ length: HUGE.perGroup }, (_, index) => step(`leaf_${index % 7}`));
  const groups = Array.from({ length: HUGE.groups }, (_, index) => ({ ...step(`group_${index}`), calls: names }));
  return { ...step('everything'), calls: groups };
}

function step(op: string): Plan {
  return { op, kind: 'other', fromMs: 0, ms: 900, inputs: { of: op }, output: null };
}

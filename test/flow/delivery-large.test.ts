import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/protocol/call.ts';
import { useFaultyWay } from './faulty-way.ts';
import { readerOf, startProgram, upTo } from './program.ts';

// Records that are too much for a batch, for the service, or for both.

/** Much smaller than usual, so that records above the limits are cheap. */
const LIMITS = { request_bytes: 1_500_000, call_bytes: 400_000, batch_items: 50, op_name_characters: 20 };
const way = useFaultyWay([
  '--limits',
  Object.entries(LIMITS)
    .map(([key, value]) => `${key}=${value}`)
    .join(),
]);

/** What is recorded of values is no less than the values. */
const UNLIMITED = 'init({ limits: { maxStringLength: 1e9, maxFieldBytes: 1e9 } });';
/** What is large takes its time on a busy machine. */
const PATIENT = { SPOOR_TIMEOUT_MS: '20000' };
const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';
const TAKE = 'const take = traced(function take(text) { return text.length; }, { op: false });';
const REPORT = 'console.log(JSON.stringify([await flush(), stats().droppedByReason]));';

async function callsOf(name: string): Promise<Call[]> {
  const calls: Call[] = [];
  for await (const call of readerOf(way.service, way.project).calls.query({ filter: { op_names: [name] } })) {
    calls.push(call);
  }
  return calls;
}

/** Once what happened, and once at the end what it cost. */
function told(reason: string): RegExp {
  const refusal = `spoor: The service refused a record of call "[-0-9a-f]{36}": ${reason}[^\\n]+`;
  return new RegExp(`^${refusal}\\nspoor: \\d+ records? (?:was|were) lost: refused \\d+[^\\n]*\\n$`);
}

/** Runs the hundred good calls around the others; answers the result of the flush, and why records were dropped. */
async function deliver(source: string): Promise<{ report: unknown; stderr: string }> {
  const program = startProgram(way.home, `${UNLIMITED}${TAKE}${source}${REPORT}`, way.environment(PATIENT));
  const report: unknown = JSON.parse(await program.line());
  const { code, signal, stderr } = await program.ended;
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(await way.steps()).toEqual(upTo(100));
  expect(way.segments()).toEqual([]);
  return { report, stderr };
}

test('a batch with more items than the service takes arrives in parts', async () => {
  expect(await deliver(HUNDRED)).toEqual({ report: [{ sent: 200, spooled: 0, dropped: 0 }, {}], stderr: '' });
});

test('a batch with more bytes than the service takes arrives in parts', async () => {
  const source = `for (let n = 0; n < 10; n++) take('x'.repeat(300_000)); ${HUNDRED}`;
  expect(await deliver(source)).toEqual({ report: [{ sent: 220, spooled: 0, dropped: 0 }, {}], stderr: '' });
  expect((await callsOf('take')).map(({ inputs }) => String(inputs['text']).length)).toEqual(Array(10).fill(300_000));
});

test('a record above what a call may have arrives without its largest field', async () => {
  const source = `take('x'.repeat(500_000)); ${HUNDRED}`;
  expect(await deliver(source)).toEqual({ report: [{ sent: 202, spooled: 0, dropped: 0 }, {}], stderr: '' });
  expect(await callsOf('take')).toMatchObject([{ inputs: { _svc: { error: '<EXCEEDS_LIMITS>' } }, output: 500_000 }]);
});

describe('a record above what a request may have costs itself, by name, and nothing else', () => {
  test.each([
    ['first', `take('x'.repeat(2_000_000)); ${HUNDRED}`],
    ['in the middle', HUNDRED.replace('step(n);', "{ step(n); if (n === 50) take('x'.repeat(2_000_000)); }")],
    ['last', `${HUNDRED} take('x'.repeat(2_000_000));`],
    ['above the size of a batch too', `${HUNDRED} take('x'.repeat(6_000_000));`],
  ])('%s', async (_place, source) => {
    const { report, stderr } = await deliver(source);
    expect(report).toEqual([{ sent: 201, spooled: 0, dropped: 1 }, { refused: 1 }]);
    expect(stderr).toMatch(told('413, '));
    // Its end arrived, and waits for a start.
    expect(await callsOf('take')).toEqual([]);
  });

  test('of many, one report', async () => {
    const { report, stderr } = await deliver(`for (let n = 0; n < 5; n++) take('x'.repeat(2_000_000)); ${HUNDRED}`);
    expect(report).toEqual([{ sent: 205, spooled: 0, dropped: 5 }, { refused: 5 }]);
    expect(stderr).toMatch(told('413, '));
  });

  test('after it was on disk, too', async () => {
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    const before = startProgram(
      way.home,
      `${UNLIMITED}${TAKE} take('x'.repeat(2_000_000)); ${HUNDRED} process.exit(0);`,
      way.environment(),
    );
    expect(await before.ended).toMatchObject({ code: 0 });
    expect(way.segments()).toHaveLength(1);
    way.proxy.plan = () => undefined;
    const drained = await way.drain();
    expect(drained.code).toBe(1);
    expect(drained.stdout).toContain('refused');
    expect(await way.steps()).toEqual(upTo(100));
    expect(way.segments()).toEqual([]);
  });
});

test('a call whose name the service does not take costs itself, and nothing else', async () => {
  const source = `traced(() => 1, { name: 'a-name-of-more-than-20-characters', op: false })(); ${HUNDRED}`;
  const { report, stderr } = await deliver(source);
  const [{ sent, dropped }] = report as [{ sent: number; dropped: number }];
  expect(sent + dropped).toBe(202);
  expect([1, 2]).toContain(dropped);
  // In the words of the service, which names the item.
  expect(stderr).toMatch(told('Cannot use op_name "a-name-of-more-than-"'));
});

test('what capture lets through at most, the service takes with its usual limits', async () => {
  const usual = { request_bytes: 33_554_432, call_bytes: 16_777_216 };
  // All inputs and the output are each as large as a field may be.
  const source = `
    const fill = traced(function fill(list) { return list; }, { op: false });
    const list = Array.from({ length: 40 }, (_, n) => String.fromCodePoint(0x4e00 + n).repeat(60_000));
    for (let n = 0; n < 20; n++) fill(list);
    ${HUNDRED}
    console.log(JSON.stringify(await flush()));`;
  const largest: number[] = [];
  way.proxy.plan = ({ body }) => {
    largest.push(Buffer.byteLength(body));
    const { batch } = JSON.parse(body) as { batch: readonly unknown[] };
    return { kind: 'answer', status: 200, body: JSON.stringify({ res: batch.map(() => ({})) }) };
  };
  const program = startProgram(way.home, source, way.environment(PATIENT));
  expect(JSON.parse(await program.line())).toEqual({ sent: 240, spooled: 0, dropped: 0 });
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect(Math.max(...largest)).toBeLessThan(usual.request_bytes);
  expect(Math.max(...largest)).toBeGreaterThan(1024 ** 2);
});

import { afterEach, expect, test } from 'vitest';
import type { CallRecord } from '../../src/protocol/record.ts';
import type { CaptureLimits } from '../../src/tracing/capture/capture-limits.ts';
import { LateText } from '../../src/tracing/capture/late-text.ts';
import { clearTracer, setTracer } from '../../src/tracing/record/tracer.ts';
import { startCall, trace } from '../../src/tracing/wrap/trace.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';

const SECRET = `sk-ant-api03-${'a1B2c3D4'.repeat(8)}`;
const LONG = `${'The key is not to be told. '.repeat(8)}${SECRET}`;

afterEach(clearTracer);

/** What a function that returns its argument was given and made, as its two records hold it. */
function recorded(value: unknown, limits: Partial<CaptureLimits> = {}): { records: CallRecord[]; copies: unknown[] } {
  const records: CallRecord[] = [];
  const ignore = () => undefined;
  const sink = { writeCall: (each: CallRecord) => void records.push(each) };
  setTracer({
    projectId: 'acme/demo',
    sink: { ...sink, writeObject: ignore, writeTable: ignore, writeFile: ignore },
    limits,
  });
  traced((given: unknown) => given)(value);
  const copies = records.map((each) => (each.kind === 'start' ? each.start.inputs['given'] : each.end.output));
  return { records, copies };
}

const VALUES = { text: LONG, member: { text: LONG }, nested: [[{ text: LONG }]], map: new Map([['text', LONG]]) };

test.each(Object.entries(VALUES))('a long text in a %s is masked by whoever makes JSON of the record', (_, value) => {
  const { records } = recorded(value);
  const json = JSON.stringify(records);
  expect(json).not.toContain(SECRET);
  expect(json.split('[masked]')).toHaveLength(3);
});

test.each(Object.entries(VALUES))(
  'settling a record with a long text in a %s changes nothing of its JSON',
  (_, value) => {
    const { records } = recorded(value);
    const before = JSON.stringify(records);
    for (const each of records) each.resolveLate?.(each.kind === 'start' ? each.start : each.end);
    expect(JSON.stringify(records)).toBe(before);
    expect(recorded(value).records.map(({ resolveLate }) => typeof resolveLate)).toEqual(['function', 'function']);
  },
);

test('in the turn of the caller a long text is not looked at, and a short one has no reason to wait', () => {
  const short = 'The key is not to be told.';
  expect(recorded([LONG, short]).copies).toEqual([
    [expect.any(LateText), short],
    [expect.any(LateText), short],
  ]);
  expect(recorded(short).records.map(({ resolveLate }) => resolveLate)).toEqual([undefined, undefined]);
});

test('a field that is too long is cut after it was masked', () => {
  const { copies } = recorded({ many: Array.from({ length: 40 }, () => LONG) }, { maxFieldBytes: 4000 });
  for (const copy of copies) {
    const json = JSON.stringify(copy);
    expect(json).not.toContain(SECRET.slice(0, 20));
    expect(json.length).toBeLessThanOrEqual(4000);
    expect(json).toContain('[masked]');
  }
});

test('a text where a field is cut by its depth stays a text', () => {
  let nested: unknown = LONG;
  for (let depth = 0; depth < 10; depth++) nested = { nested };
  const { copies } = recorded(
    { nested, many: Array.from({ length: 20 }, () => LONG + '\u0001'.repeat(200)) },
    { maxFieldBytes: 8000 },
  );
  for (const copy of copies) {
    const json = JSON.stringify(copy);
    expect(json).toContain('"nested":"The key');
    expect(json).not.toContain(SECRET.slice(0, 20));
  }
});

test('what programs put on all objects is no part of a copy', () => {
  const everywhere = Object.prototype as { shared?: unknown };
  everywhere.shared = { other: 1 };
  try {
    const { records } = recorded({ text: LONG });
    for (const each of records) each.resolveLate?.(each.kind === 'start' ? each.start : each.end);
    expect(JSON.stringify(records)).not.toContain(SECRET);
  } finally {
    delete everywhere.shared;
  }
});

test.each([127, 128, 5000])('a text of %i letters where members are wanted becomes one', (length) => {
  const text = 'plain words '.repeat(500).slice(0, length);
  const { starts, ends } = recordedBy(() => {
    traced(() => undefined, { inputs: () => text as never })();
    startCall('by hand', text as never).end(undefined);
    trace('with attributes', (call) => call.set(text as never));
  });
  expect(starts.slice(0, 2).map(({ inputs }) => inputs)).toEqual([{ value: text }, { value: text }]);
  expect(ends[2]).toMatchObject({ summary: { attributes: { value: text } } });
});

function recordedBy(work: () => void) {
  const { records } = recorded(undefined);
  records.length = 0;
  work();
  const json = JSON.parse(JSON.stringify(records)) as CallRecord[];
  return {
    starts: json.flatMap((each) => (each.kind === 'start' ? [each.start] : [])),
    ends: json.flatMap((each) => (each.kind === 'end' ? [each.end] : [])),
  };
}

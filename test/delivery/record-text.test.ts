import {
  assert,
  constant,
  dictionary,
  jsonValue,
  nat,
  property,
  record,
  sample,
  string,
  stringMatching,
  type Arbitrary,
} from 'fast-check';
import { expect, test } from 'vitest';
import { appendRecord } from '../../src/delivery/batch/record-text.ts';
import type { CallRecord, RecordedEnd, RecordedStart } from '../../src/protocol/record.ts';

const text = string({ unit: 'binary' });
const id = stringMatching(/^[A-Za-z0-9._~:@-]{1,40}$/);
const members = dictionary(text, jsonValue());
const time = constant('2026-01-01T00:00:00.000001Z');

/** Every member that there is: one that is added to the type is missing here until it is added to both. */
const starts: Arbitrary<RecordedStart> = record<RecordedStart, keyof RecordedStart>(
  {
    project_id: text,
    id,
    op_name: text,
    trace_id: id,
    started_at: time,
    attributes: members,
    inputs: members,
    display_name: text,
    parent_id: id,
    thread_id: text,
    turn_id: id,
    svc_run_id: text,
  } satisfies Record<keyof RecordedStart, unknown>,
  { requiredKeys: ['project_id', 'id', 'op_name', 'trace_id', 'started_at', 'attributes', 'inputs'] },
);

const ends: Arbitrary<RecordedEnd> = record<RecordedEnd, keyof RecordedEnd>(
  {
    project_id: text,
    id,
    ended_at: time,
    output: jsonValue(),
    summary: record(
      { status_counts: record({ success: nat(), error: nat() }), usage: members, attributes: members },
      { requiredKeys: ['status_counts'] },
    ),
    exception: text,
    display_name: text,
  } satisfies Record<keyof RecordedEnd, unknown>,
  { requiredKeys: ['project_id', 'id', 'ended_at', 'output', 'summary'] },
);

test('the text of a record is the JSON of its item', () => {
  assert(
    property(starts, ends, (start, end) => {
      expect(itemOf({ kind: 'start', start, bytes: 1 })).toEqual(asItem('start', start));
      expect(itemOf({ kind: 'end', end, bytes: 1 })).toEqual(asItem('end', end));
    }),
    { numRuns: 500 },
  );
});

test('what many calls have in common is not made again', () => {
  const [start] = sample(starts, 1) as [RecordedStart];
  const item = itemOf({ kind: 'start', start, bytes: 1, attributesText: '{"made":"before"}' });
  expect(item).toEqual(asItem('start', { ...start, attributes: { made: 'before' } }));
});

test('an output without JSON text is null, as in a list', () => {
  const end = { project_id: 'a/b', id: 'c', ended_at: '', summary: { status_counts: { success: 1, error: 0 } } };
  const item = itemOf({ kind: 'end', end: { ...end, output: undefined }, bytes: 1 });
  expect(item).toEqual(asItem('end', { ...end, output: null }));
});

test('of a record without JSON text nothing is appended', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const end = { project_id: 'a/b', id: 'c', ended_at: '', summary: { status_counts: { success: 1, error: 0 } } };
  const pieces = ['before'];
  expect(() => appendRecord(pieces, { kind: 'end', end: { ...end, output: circular }, bytes: 1 })).toThrow(TypeError);
  expect(pieces).toEqual(['before']);
});

/** It is a line of its own, and about as long as it was said to be. */
function itemOf(written: CallRecord): unknown {
  const pieces: string[] = [];
  const length = appendRecord(pieces, written);
  const line = pieces.join('');
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(line.endsWith('} \n')).toBe(true);
  expect(length).toBeGreaterThan(line.length - 500);
  expect(length).toBeLessThan(line.length + 500);
  return JSON.parse(line) as unknown;
}

function asItem(mode: 'start' | 'end', written: object): unknown {
  return { mode, req: { [mode]: JSON.parse(JSON.stringify(written)) as unknown } };
}

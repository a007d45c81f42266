import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordText } from '../../src/delivery/record-text.ts';
import type { RecordedEnd, RecordedStart } from '../../src/protocol/record.ts';

const text = fc.string({ unit: 'binary' });
const members = fc.dictionary(text, fc.jsonValue());
const time = fc.constant('2026-01-01T00:00:00.000001Z');

/** Every member that there is: one that is added to the type is missing here until it is added to both. */
const starts: fc.Arbitrary<RecordedStart> = fc.record<RecordedStart, keyof RecordedStart>(
  {
    project_id: text,
    id: text,
    op_name: text,
    trace_id: text,
    started_at: time,
    attributes: members,
    inputs: members,
    display_name: text,
    parent_id: text,
    thread_id: text,
    turn_id: text,
    svc_run_id: text,
  } satisfies Record<keyof RecordedStart, unknown>,
  { requiredKeys: ['project_id', 'id', 'op_name', 'trace_id', 'started_at', 'attributes', 'inputs'] },
);

const ends: fc.Arbitrary<RecordedEnd> = fc.record<RecordedEnd, keyof RecordedEnd>(
  {
    project_id: text,
    id: text,
    ended_at: time,
    output: fc.jsonValue(),
    summary: fc.record(
      { status_counts: fc.record({ success: fc.nat(), error: fc.nat() }), usage: members, attributes: members },
      { requiredKeys: ['status_counts'] },
    ),
    exception: text,
    display_name: text,
  } satisfies Record<keyof RecordedEnd, unknown>,
  { requiredKeys: ['project_id', 'id', 'ended_at', 'output', 'summary'] },
);

test('the text of a record is the JSON of its item', () => {
  fc.assert(
    fc.property(starts, ends, (start, end) => {
      expect(JSON.parse(recordText({ kind: 'start', start, bytes: 1 }))).toEqual(asItem('start', start));
      expect(JSON.parse(recordText({ kind: 'end', end, bytes: 1 }))).toEqual(asItem('end', end));
    }),
    { numRuns: 500 },
  );
});

test('what many calls have in common is not made again', () => {
  const [start] = fc.sample(starts, 1) as [RecordedStart];
  const item = JSON.parse(
    recordText({ kind: 'start', start, bytes: 1, attributesText: '{"made":"before"}' }),
  ) as unknown;
  expect(item).toEqual(asItem('start', { ...start, attributes: { made: 'before' } }));
});

test('an output without JSON text is null, as in a list', () => {
  const end = { project_id: 'a/b', id: 'c', ended_at: '', summary: { status_counts: { success: 1, error: 0 } } };
  const item = JSON.parse(recordText({ kind: 'end', end: { ...end, output: undefined }, bytes: 1 })) as unknown;
  expect(item).toEqual(asItem('end', { ...end, output: null }));
});

function asItem(mode: 'start' | 'end', record: object): unknown {
  return { mode, req: { [mode]: JSON.parse(JSON.stringify(record)) as unknown } };
}

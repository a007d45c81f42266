import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeOp } from '../../src/objects/op.ts';
import { digestBytes, digestJson } from '../../src/protocol/digest.ts';
import { traced } from '../../src/tracing/traced.ts';
import { type Recording, startRecording } from '../tracing/recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording({ describeOp });
});
afterEach(() => recording.stop());

/** From source text, so that it is known here to the letter. */
function functionOf(source: string): (...args: unknown[]) => unknown {
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function(`return ${source}`)() as (...args: unknown[]) => unknown;
}

const SOURCE = 'function add(a, b) {\n  return a + b;\n}';

test('a call names its op by a reference that is computed here, and the version is published with its source', () => {
  traced(functionOf(SOURCE))(1, 2);
  const file = digestBytes(SOURCE);
  const val = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.js': file } };
  const digest = digestJson(val);
  expect(recording.calls()[0]?.start.op_name).toBe(`svc:///acme/demo/op/add:${digest}`);
  expect(recording.objects).toEqual([
    {
      projectId: 'acme/demo',
      objectId: 'add',
      val,
      digest,
      files: [{ projectId: 'acme/demo', name: 'obj.js', digest: file, bytes: Buffer.from(SOURCE) }],
    },
  ]);
});

test('a version is published once, also for two wrappers of the same source', () => {
  const wrapped = traced(functionOf(SOURCE));
  wrapped(1, 2);
  wrapped(3, 4);
  traced(functionOf(SOURCE))(5, 6);
  expect(recording.objects).toHaveLength(1);
  expect(new Set(recording.calls().map(({ start }) => start.op_name)).size).toBe(1);
});

test('other source is another version of the same op; a new tracer publishes again', () => {
  traced(functionOf(SOURCE))(1, 2);
  traced(functionOf(SOURCE.replace('+', '-')))(1, 2);
  expect(recording.objects.map(({ objectId }) => objectId)).toEqual(['add', 'add']);
  expect(recording.objects[0]?.digest).not.toBe(recording.objects[1]?.digest);
  recording = startRecording({ describeOp });
  traced(functionOf(SOURCE))(1, 2);
  expect(recording.objects).toHaveLength(1);
});

test('op: false leaves the plain name and publishes nothing', () => {
  traced(functionOf(SOURCE), { op: false })(1, 2);
  expect(recording.calls()[0]?.start.op_name).toBe('add');
  expect(recording.objects).toEqual([]);
});

test('secrets in the source are masked before the digest is made', () => {
  traced(functionOf("function ask() { const apiKey = 'abc'; return apiKey.length; }"))();
  const text = Buffer.from(recording.objects[0]?.files[0]?.bytes ?? []).toString();
  expect(text).toBe("function ask() { const apiKey = '[masked]'; return apiKey.length; }");
  expect(recording.objects[0]?.files[0]?.digest).toBe(digestBytes(text));
});

test('a mask function sees the source, and hides it when it throws', () => {
  recording = startRecording({
    describeOp,
    mask: (value, path) => {
      if (path[0] === 'code') throw new Error('rule');
      return value;
    },
  });
  traced(functionOf(SOURCE))(1, 2);
  expect(Buffer.from(recording.objects[0]?.files[0]?.bytes ?? []).toString()).toBe('[masked]');
});

test('a name is brought into the letters of object names', () => {
  traced(functionOf(SOURCE), { name: 'Add two: numbers / 数' })(1, 2);
  expect(recording.objects[0]?.objectId).toBe('Add-two-numbers-数');
});

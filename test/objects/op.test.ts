import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeOp } from '../../src/objects/op.ts';
import { digestBytes, digestJson } from '../../src/protocol/values/digest.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
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

/** What the only published version holds. */
function published(): string[] {
  return recording.objects.map(({ files }) => Buffer.from(files[0]?.bytes ?? []).toString());
}

test('a function is the same version however far to the right it stands, and on every system', () => {
  const moved = SOURCE.replaceAll('\n', '\n\t    ');
  for (const source of [SOURCE, moved, SOURCE.replaceAll('\n', '\r\n'), `// Moved down.\n\n\n${SOURCE}`]) {
    // oxlint-disable-next-line typescript/no-implied-eval
    traced(new Function(`let fn = ${source}\nreturn fn;`)() as () => unknown)();
  }
  expect(published()).toEqual([SOURCE]);
});

test('what stands less far to the right than the function is kept as it is', () => {
  const source = 'function text() {\n      return `\n  a\n        b`;\n    }';
  traced(functionOf(source))();
  expect(published()).toEqual(['function text() {\n  return `\n  a\n    b`;\n}']);
});

test('a class is an op with its whole source, which other instances and later calls share', () => {
  const source = 'class Point {\n  constructor(x) { this.x = x; }\n}';
  const Point = traced(functionOf(source) as unknown as new (x: number) => object);
  void [new Point(1), new Point(2)];
  expect(recording.objects.map(({ objectId }) => objectId)).toEqual(['Point']);
  expect(published()).toEqual([source]);
  expect(recording.calls().map(({ start }) => start.inputs)).toEqual([{ x: 1 }, { x: 2 }]);
});

test('functions that a factory makes of one source are one version, whatever they close over', () => {
  const make = functionOf('(factor) => function scale(value) { return value * factor; }') as (
    factor: number,
  ) => (value: number) => number;
  expect([traced(make(2))(3), traced(make(5))(3)]).toEqual([6, 15]);
  expect(recording.objects.map(({ objectId }) => objectId)).toEqual(['scale']);
});

test('a decorated method is an op of its own source under the name of its class', () => {
  class Shop {
    @traced
    sell(count: number): number {
      return count + 1;
    }
  }
  new Shop().sell(1);
  const [object] = recording.objects;
  expect(object?.objectId).toMatch(/^Shop\d*\.sell$/);
  expect(published()[0]).toMatch(/^sell\(count\) \{\s+return count \+ 1;\s+\}$/);
});

test('bound and built-in functions have a name, and a version that says that there is no source', () => {
  traced(functionOf(SOURCE).bind(undefined))(1, 2);
  traced(Math.max)(1, 2);
  expect(recording.objects.map(({ objectId }) => objectId)).toEqual(['add', 'max']);
  for (const text of published()) expect(text).toMatch(/^function \w*\(\) \{ \[native code\] \}$/);
});

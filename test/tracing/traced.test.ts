import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

test('a sync function stays sync and is recorded with inputs and output', () => {
  const runAdd = traced(function add(first: number, second: number) {
    return { sum: first + second };
  });
  expect(runAdd(1, 2)).toEqual({ sum: 3 });
  const { start, end } = recording.call('add');
  expect(start).toMatchObject({ project_id: 'acme/demo', inputs: { first: 1, second: 2 } });
  expect(start).not.toHaveProperty('parent_id');
  expect(end).toMatchObject({ project_id: 'acme/demo', id: start.id, output: { sum: 3 } });
  expect(end).not.toHaveProperty('exception');
});

test('the result of a sync function is the very same object', () => {
  const value = { deep: { er: 1 } };
  expect(traced(() => value)()).toBe(value);
});

test('a sync throw stays sync, with the very same error', () => {
  const error = new RangeError('too far', { cause: new Error('the map') });
  const runFail = traced(function fail() {
    throw error;
  });
  expect(runFail).toThrow(error);
  const { end } = recording.call('fail');
  expect(end?.exception).toMatch(/^RangeError: too far\n +at /);
  expect(end?.exception).toContain('[cause]: Error: the map');
  expect(end?.summary).toMatchObject({ status_counts: { success: 0, error: 1 } });
});

test.each([['text'], [undefined], [null], [{ code: 4 }]])('a thrown %j that is no error passes through', (thrown) => {
  const runFail = traced(function fail() {
    throw thrown;
  });
  let caught: unknown = 'nothing';
  try {
    runFail();
  } catch (error) {
    caught = error;
  }
  expect(caught).toBe(thrown);
  expect(recording.call('fail').end?.exception).toMatch(/^Thrown: /);
});

test('an error of another realm is told like any other', () => {
  const error: unknown = runInNewContext('new RangeError("far away", { cause: new Error("further") })');
  const runFail = traced(function fail() {
    throw error;
  });
  expect(runFail).toThrow('far away');
  const exception = recording.call('fail').end?.exception;
  expect(exception).toMatch(/^RangeError: far away\n/);
  expect(exception).toContain('[cause]: Error: further');
});

test('a thrown object is masked and cut like any value', () => {
  const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, index]));
  const runFail = traced(function fail() {
    throw { credentials: { user: 'ada', word: 'open sesame' }, ...keys };
  });
  expect(runFail).toThrow(expect.objectContaining({ key0: 0 }));
  const exception = recording.call('fail').end?.exception;
  expect(exception).toMatch(/^Thrown: {"credentials":"\[masked\]","key0":0/);
  expect(exception).toContain('801 more of 1001 keys');
});

test('arguments beyond the limit of keys are counted, not copied', () => {
  const most = traced(Math.max, { name: 'most' });
  expect(most(...Array.from({ length: 30_000 }, (_, index) => index))).toBe(29_999);
  const { inputs } = recording.call('most').start;
  expect(Object.keys(inputs ?? {})).toHaveLength(201);
  expect(inputs?.['_cut']).toBe('29800 more of 30000 arguments');
});

test('an async function ends when it settles, and its children hang under it', async () => {
  const runLeaf = traced(async function leaf(name: string) {
    await Promise.resolve();
    return name;
  });
  const runRoot = traced(async function root() {
    const pair = await Promise.all([runLeaf('a'), runLeaf('b')]);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return [...pair, await runLeaf('c')];
  });
  expect(await runRoot()).toEqual(['a', 'b', 'c']);
  expect(treeOf(recording)).toEqual(['root(leaf, leaf, leaf)']);
  const [first, ...others] = recording.calls();
  expect(new Set(others.map(({ start }) => start.trace_id))).toEqual(new Set([first?.start.trace_id]));
});

test('a rejected promise ends the call with its exception', async () => {
  const error = new Error('no');
  const runFail = traced(async function fail() {
    throw error;
  });
  await expect(runFail()).rejects.toBe(error);
  expect(recording.call('fail').end?.exception).toMatch(/^Error: no/);
});

test('name, length, own properties, prototype and source text are those of the original', () => {
  const mark = Symbol('mark');
  function original(first: string, second: number, ...rest: unknown[]): unknown {
    return [first, second, rest];
  }
  Object.assign(original, { label: 'own', [mark]: 1 });
  const wrapped = traced(original);
  expect(wrapped).not.toBe(original);
  expect([wrapped.name, wrapped.length]).toEqual(['original', 2]);
  expect(Reflect.get(wrapped, 'label')).toBe('own');
  expect(Reflect.get(wrapped, mark)).toBe(1);
  expect(wrapped.prototype).toBe(original.prototype);
  expect(wrapped.toString()).toBe(original.toString());
  expect(Object.keys(wrapped)).toEqual(Object.keys(original));
});

test('functions that cannot be constructed stay so, and async functions stay async functions', () => {
  const arrow = traced(() => 1);
  const asyncArrow = traced(async () => 1);
  expect(Object.hasOwn(arrow, 'prototype')).toBe(false);
  expect(() => Reflect.construct(Object, [], arrow)).toThrow(TypeError);
  expect(Object.prototype.toString.call(asyncArrow)).toBe('[object AsyncFunction]');
});

test('the receiver is kept for methods, borrowed methods, call, apply and bind', () => {
  class Greeter {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    greet(this: { name: string }, word: string): string {
      return `${word} ${this.name}`;
    }
  }
  // Borrowing methods is what the test is about.
  // oxlint-disable-next-line typescript/unbound-method
  Greeter.prototype.greet = traced(Greeter.prototype.greet);
  const greeter = new Greeter('Ada');
  // oxlint-disable-next-line typescript/unbound-method
  const other = { name: 'Bob', greet: greeter.greet };
  expect(greeter.greet('Hi')).toBe('Hi Ada');
  expect(other.greet('Hi')).toBe('Hi Bob');
  expect(greeter.greet.call({ name: 'C' }, 'Hi')).toBe('Hi C');
  expect(greeter.greet.apply({ name: 'D' }, ['Hi'])).toBe('Hi D');
  expect(greeter.greet.bind({ name: 'E' })('Hi')).toBe('Hi E');
  const inputs = recording.calls().map(({ start }) => start.inputs);
  expect(inputs.slice(0, 2)).toEqual([{ self: 'Greeter', word: 'Hi' }, { word: 'Hi' }]);
});

test('a wrapped class makes instances of the class, knows its statics and can be extended', () => {
  class Shape {
    static made = 0;
    readonly sides: number;
    constructor(sides: number) {
      this.sides = sides;
      Shape.made += 1;
    }
  }
  const Wrapped = traced(Shape);
  class Square extends Wrapped {
    constructor() {
      super(4);
    }
  }
  const shape = new Wrapped(3);
  expect(shape).toBeInstanceOf(Shape);
  expect(shape).toBeInstanceOf(Wrapped);
  expect(shape.constructor).toBe(Shape);
  expect(new Square()).toBeInstanceOf(Square);
  expect([Wrapped.made, Wrapped.name, Wrapped.length]).toEqual([2, 'Shape', 1]);
  expect(() => Reflect.apply(Wrapped, undefined, [1])).toThrow(TypeError);
  expect(recording.calls().map(({ start }) => [start.op_name, start.inputs])).toEqual([
    ['Shape', { sides: 3 }],
    ['Shape', { sides: 4 }],
  ]);
});

test('a constructor function of the old kind works with and without new', () => {
  function Point(this: { x: number }, x: number): void {
    this.x = x;
  }
  const Wrapped: Function = traced(Point);
  const point: unknown = Reflect.construct(Wrapped, [7]);
  expect(point).toBeInstanceOf(Point);
  expect(point).toEqual({ x: 7 });
  expect(recording.call('Point').start.inputs).toEqual({ x: 7 });
});

test('a constructor that throws ends its call with the error', () => {
  class Broken {
    readonly part = (() => {
      throw new Error('half built');
    })();
  }
  const Wrapped = traced(Broken);
  expect(() => new Wrapped()).toThrow('half built');
  expect(recording.call('Broken').end?.exception).toMatch(/half built/);
});

test('options can come first, and wrapping again adds to them', () => {
  const named = traced({ name: 'first name', kind: 'tool' })(function original(value: number) {
    return value;
  });
  expect(named(1)).toBe(1);
  expect(traced(named)).toBe(named);
  traced(named, { name: 'second' })(2);
  expect(recording.calls().map(({ start }) => [start.op_name, start.attributes?.['kind']])).toEqual([
    ['first-name', 'tool'],
    ['second', 'tool'],
  ]);
});

test('options shape what is recorded', () => {
  const runAsk = traced(
    function ask(question: string, context: readonly string[]) {
      return { text: `${question}?`, model: 'm', tokens: context.length };
    },
    {
      displayName: (question) => `Ask ${question}`,
      attributes: { version: 3 },
      inputs: (question) => ({ q: question }),
      output: ({ text }) => text,
      usage: ({ model, tokens }) => ({ model, input: tokens, output: 1 }),
    },
  );
  runAsk('why', ['a', 'b']);
  const { start, end } = recording.call('ask');
  expect(start).toMatchObject({ display_name: 'Ask why', attributes: { version: 3 }, inputs: { q: 'why' } });
  expect(end?.output).toBe('why?');
  expect(end?.summary?.['usage']).toEqual({
    m: { requests: 1, input_tokens: 2, output_tokens: 1, total_tokens: 3 },
  });
});

test('inputs and output can be left out', () => {
  traced((secret: string) => secret, { name: 'quiet', inputs: false, output: false })('x');
  const { start, end } = recording.call('quiet');
  expect([start.inputs, end?.output]).toEqual([{}, null]);
});

test('an option that throws is reported once and never reaches the caller', () => {
  const broken = () => {
    throw new Error('my option');
  };
  const run = traced((value: number) => value, {
    name: 'run',
    displayName: broken,
    inputs: broken,
    output: broken,
    usage: broken,
  });
  expect([run(1), run(2)]).toEqual([1, 2]);
  expect(recording.calls()).toHaveLength(2);
  expect(recording.calls()[0]?.end?.output).toBe('[masked]');
  expect(recording.problems.map(({ kind }) => kind).sort()).toEqual([
    'display_name_option',
    'inputs_option',
    'output_option',
    'usage_option',
  ]);
});

test.each(['displayName', 'inputs', 'output', 'usage', 'sample'] as const)(
  'the report on a broken %s option says which one of which op it is',
  (option) => {
    recording = startRecording({ describeOp: ({ name }) => `svc:///acme/demo/op/${name}:${'x'.repeat(43)}` });
    const broken = (value: { missing: { length: number } }) => value.missing.length;
    traced((_value: object) => ({}), { name: 'Library.add', [option]: broken })({});
    expect(recording.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(`^The ${option} option of op "Library.add" threw: Cannot read .*'length'\\)$`),
    ]);
  },
);

test('an async option is reported, and its rejection reaches nobody', async () => {
  const rejections: unknown[] = [];
  const listen = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', listen);
  const broken = async () => {
    throw new Error('later');
  };
  expect(traced((value: number) => value, { name: 'run', output: broken })(1)).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', listen);
  expect(rejections).toEqual([]);
  expect(recording.call('run')).toMatchObject({ end: { output: '[masked]' } });
  expect(recording.problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Cannot use the output option of op "run": it is async/),
  ]);
});

test('a sink that throws does not reach the caller', () => {
  const broken = () => {
    throw new Error('disk');
  };
  recording = startRecording({
    sink: { writeCall: broken, writeObject: broken, writeTable: broken, writeFile: broken },
    onError: broken,
  });
  const run = traced((value: number) => value + 1);
  expect(run(1)).toBe(2);
});

test('capture answers the result as it is and the first outermost call', async () => {
  const runInner = traced(async function inner() {
    return 1;
  });
  const runOuter = traced(async function outer() {
    return runInner();
  });
  const { result, call } = traced.capture(() => runOuter());
  expect(result).toBeInstanceOf(Promise);
  expect(await result).toBe(1);
  expect(call.id).toBe(recording.call('outer').start.id);
  expect(traced.capture(() => 5).call.isRecording).toBe(false);
  expect(() =>
    traced.capture(() => {
      throw new Error('through');
    }),
  ).toThrow('through');
});

test('capture does not change the parent of what is called', () => {
  const runLeaf = traced(function leaf() {
    return 1;
  });
  const runRoot = traced(function root() {
    return traced.capture(() => runLeaf()).call.id;
  });
  expect(runRoot()).toBe(recording.call('leaf').start.id);
  expect(treeOf(recording)).toEqual(['root(leaf)']);
});

test('things that are no functions are refused', () => {
  expect(() => Reflect.apply(traced, undefined, [5])).toThrow(TypeError);
  expect(() => Reflect.apply(traced({}), undefined, ['text'])).toThrow(TypeError);
});

test('a thousand calls at once keep their parents and traces apart', async () => {
  const runLeaf = traced(async function leaf(root: number) {
    await new Promise((resolve) => setImmediate(resolve));
    return root;
  });
  const runBranch = traced(async function branch(root: number) {
    await Promise.resolve();
    return Promise.all([runLeaf(root), runLeaf(root)]);
  });
  const runTop = traced(async function top(root: number) {
    return Promise.all([runBranch(root), runLeaf(root)]);
  });
  await Promise.all(Array.from({ length: 200 }, (_, root) => runTop(root)));
  const calls = recording.calls();
  const byId = new Map(calls.map((call) => [call.start.id, call]));
  expect(calls).toHaveLength(1000);
  const wrong = calls.filter(({ start }) => {
    const parent = byId.get(start.parent_id ?? '');
    if (start.op_name === 'top') return parent !== undefined;
    return parent?.start.inputs?.['root'] !== start.inputs?.['root'] || parent?.start.trace_id !== start.trace_id;
  });
  expect(wrong).toEqual([]);
  expect(new Set(calls.map(({ start }) => start.trace_id)).size).toBe(200);
  expect(calls.filter(({ end }) => end === undefined)).toEqual([]);
});

test('a chain of ten thousand calls is recorded link by link', async () => {
  const link: (left: number) => Promise<number> = traced(
    async (left: number): Promise<number> => {
      await Promise.resolve();
      return left === 0 ? 0 : 1 + (await link(left - 1));
    },
    { name: 'link' },
  );
  expect(await link(9_999)).toBe(9_999);
  expect(recording.calls()).toHaveLength(10_000);
  expect(recording.calls()[0]?.end?.summary).toEqual({ status_counts: { success: 10_000, error: 0 } });
});

/** In a process of its own, because a full stack in the wrong place ends the whole process. */
const RECURSION = `
  import { traced } from './src/tracing/wrap/traced.ts';
  import { setTracer } from './src/tracing/record/tracer.ts';
  const open = new Set();
  const sink = {
    writeCall: (record) => (record.kind === 'start' ? open.add(record.start.id) : open.delete(record.end.id)),
    writeObject() {},
    writeTable() {},
    writeFile() {},
  };
  setTracer({ projectId: 'acme/demo', sink });
  const fail = traced(() => { throw new Error('ordinary', { cause: new Error('cause') }); });
  const inner = traced(function descend(level) { deepest = level; return 1 + inner(level + 1); });
  const bare = (level) => { deepest = level; return 1 + bare(level + 1); };
  let deepest = 0;
  const errors = [];
  const depths = [fail, bare, inner, fail].map((run) => {
    try { run(0); } catch (error) { errors.push(error.name); }
    return deepest;
  });
  console.log(JSON.stringify({ depths, errors, open: open.size }));
`;

test('a runaway recursion fails as it would untraced, a third as deep, and its calls end', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const args = ['--import', './test/load-typescript.js', '--input-type=module', '--eval', RECURSION];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  const { depths, errors, open } = JSON.parse(stdout) as { depths: number[]; errors: string[]; open: number };
  const [, bare = 0, inner = 0] = depths;
  expect(errors).toEqual(['Error', 'RangeError', 'RangeError', 'Error']);
  expect(inner).toBeGreaterThan(bare / 3.3);
  expect(open).toBeLessThan(5);
});

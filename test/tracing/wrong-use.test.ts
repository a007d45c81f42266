import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { current, withContext, withThread } from '../../src/tracing/propagation/context.ts';
import { startCall, trace } from '../../src/tracing/wrap/trace.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

/** As programs without types call it. */
const wrap = traced as unknown as (...args: unknown[]) => (...args: unknown[]) => unknown;
const fn = () => 1;

function thrownBy(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return String(error);
  }
  return 'nothing was thrown';
}

describe('what is no function is refused when it is wrapped:', () => {
  test.each<[string, unknown[], string]>([
    ['a number', [5], 'Cannot trace 5: want a function, or options first and then the function'],
    ['a text', ['ask'], 'Cannot trace "ask": want a function, or options first and then the function'],
    ['a text that may be secret', ['sk-/live/1234'], 'Cannot trace another text: want a function, or options first'],
    ['null', [null], 'Cannot trace null: want a function'],
    ['undefined', [undefined], 'Cannot trace undefined: want a function'],
    ['a symbol', [Symbol('s')], 'Cannot trace Symbol(s): want a function'],
    ['a list', [[fn]], 'Cannot trace a list: want a function'],
    ['the promise of a call', [Promise.resolve()], 'Cannot trace an object of class Promise: want a function'],
    ['an instance', [new Map()], 'Cannot trace an object of class Map: want a function'],
    ['nothing', [], 'Cannot trace nothing: write @traced or @traced({ … })'],
    ['null options', [fn, null], 'Cannot use the options of traced: want an object, got null'],
    ['a number as options', [fn, 5], 'Cannot use the options of traced: want an object, got 5'],
    ['a name as options', [fn, 'ask'], 'Cannot use the options of traced: want an object, got "ask"'],
    ['a function as options', [fn, fn], 'Cannot use the options of traced: want an object, got a function'],
    ['a list as options', [fn, []], 'Cannot use the options of traced: want an object, got a list'],
    ['an instance as options', [fn, new Map()], 'want an object, got an object of class Map'],
  ])('%s', (_name, args, message) => {
    expect(thrownBy(() => wrap(...args))).toContain(`TypeError: ${message}`.replace('TypeError: want', 'want'));
  });

  test('also when the options came first', () => {
    const decorate = wrap({ name: 'x' });
    expect(thrownBy(() => decorate(5))).toBe(
      'TypeError: Cannot trace 5: want a function, or options first and then the function',
    );
    expect(thrownBy(() => decorate(fn, { name: 'y' }))).toBe(
      'TypeError: Cannot trace with options twice: they were given before the function',
    );
  });

  test('capture, trace, withContext and withThread', () => {
    const capture = (...args: unknown[]) => traced.capture(...(args as [() => unknown]));
    const run = { capture, trace, withContext, withThread } as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >;
    expect(thrownBy(() => run['capture']?.(5))).toBe(
      'TypeError: Cannot capture a call: the first argument has to be a function, got 5',
    );
    expect(thrownBy(() => run['trace']?.('name', { inputs: {} }, fn))).toBe(
      'TypeError: Cannot trace "name": the second argument has to be a function, got an object',
    );
    expect(thrownBy(() => run['trace']?.(fn))).toBe(
      'TypeError: Cannot trace a function: the second argument has to be a function, got undefined',
    );
    expect(thrownBy(() => run['withContext']?.(fn, {}))).toBe(
      'TypeError: Cannot run in a context: the last argument has to be a function, got an object',
    );
    expect(thrownBy(() => run['withThread']?.('id'))).toContain('the last argument has to be a function');
  });
});

describe('an option that is not as wanted is refused when it is given:', () => {
  test.each<[object, string]>([
    [{ name: 5 }, 'TypeError: … "name" … want a text of 1 to 128 characters with a letter or a digit, got 5'],
    [{ name: '' }, 'TypeError: … "name" … want a text of 1 to 128 characters with a letter or a digit, got ""'],
    [
      { name: '…' },
      'TypeError: … "name" … want a text of 1 to 128 characters with a letter or a digit, got another text',
    ],
    [
      { name: 'n'.repeat(129) },
      'RangeError: … "name" … want a text of 1 to 128 characters with a letter or a digit, got another text',
    ],
    [
      { kind: 'model' },
      'TypeError: … "kind" … want one of llm, tool, agent, retriever, chain, embedding, scorer, other, got "model"',
    ],
    [
      { kind: 'toString' },
      'TypeError: … "kind" … want one of llm, tool, agent, retriever, chain, embedding, scorer, other, got "toString"',
    ],
    [{ displayName: 5 }, 'TypeError: … "displayName" … want a text or a function, got 5'],
    [{ attributes: 'x' }, 'TypeError: … "attributes" … want an object, got "x"'],
    [{ attributes: [1] }, 'TypeError: … "attributes" … want an object, got a list'],
    [{ attributes: null }, 'TypeError: … "attributes" … want an object, got null'],
    [{ args: 'first' }, 'TypeError: … "args" … want a list of different names, got "first"'],
    [{ args: ['first', 2] }, 'TypeError: … "args" … want a list of different names, got a list'],
    [{ args: [''] }, 'TypeError: … "args" … want a list of different names, got a list'],
    [{ args: ['a', 'b', 'a'] }, 'RangeError: … "args" … want a list of different names, got a list'],
    [{ inputs: true }, 'TypeError: … "inputs" … want false or a function, got true'],
    [{ inputs: { a: 1 } }, 'TypeError: … "inputs" … want false or a function, got an object'],
    [{ output: 'none' }, 'TypeError: … "output" … want false or a function, got "none"'],
    [{ usage: {} }, 'TypeError: … "usage" … want a function, got an object'],
    [{ aggregate: 'join' }, 'TypeError: … "aggregate" … want a function, got "join"'],
    [{ aggregate: false }, 'TypeError: … "aggregate" … want a function, got false'],
    [{ sample: 'never' }, 'TypeError: … "sample" … want a number from 0 to 1, "parent" or a function, got "never"'],
    [{ sample: true }, 'TypeError: … "sample" … want a number from 0 to 1, "parent" or a function, got true'],
    [{ sample: -0.1 }, 'RangeError: … "sample" … want a number from 0 to 1, "parent" or a function, got -0.1'],
    [{ sample: 50 }, 'RangeError: … "sample" … want a number from 0 to 1, "parent" or a function, got 50'],
    [{ sample: NaN }, 'RangeError: … "sample" … want a number from 0 to 1, "parent" or a function, got NaN'],
    [{ op: true }, 'TypeError: … "op" … want false, got true'],
  ])('%j', (options, message) => {
    const expected = message.replace('…', 'Cannot use the option').replace('…', 'of traced:');
    expect(thrownBy(() => wrap(fn, options))).toBe(expected);
    expect(thrownBy(() => wrap(options))).toBe(expected);
    expect(thrownBy(() => wrap(wrap(fn), options))).toBe(expected);
  });

  test.each([
    ['nmae', 'did you mean "name"?'],
    ['display_name', 'did you mean "displayName"?'],
    ['displayname', 'did you mean "displayName"?'],
    ['input', 'did you mean "inputs"?'],
    ['outputs', 'did you mean "output"?'],
    ['sampled', 'did you mean "sample"?'],
    ['atributes', 'did you mean "attributes"?'],
    ['argNames', 'there are name, kind, attributes, output, usage, aggregate, sample, displayName, args, inputs, op'],
    ['toString', 'there are name, kind'],
    ['__proto__x', 'there are name, kind'],
  ])('an unknown name: %s', (name, hint) => {
    const message = thrownBy(() => wrap(fn, { [name]: undefined }));
    expect(message).toContain(
      `TypeError: Cannot use the option "${name}" of traced: there is none of this name, ${hint}`,
    );
  });

  test('what is undefined is not given', () => {
    const names = ['name', 'kind', 'attributes', 'output', 'usage', 'aggregate', 'sample', 'args', 'inputs', 'op'];
    const options = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(wrap(fn, options)()).toBe(1);
    expect(recording.calls()).toHaveLength(1);
  });
});

describe('options that exclude each other are refused:', () => {
  test.each<[object, string]>([
    [{ args: ['a'], inputs: false }, '"args" and "inputs" of traced together: no inputs are recorded'],
    [{ args: ['a'], inputs: () => ({}) }, '"args" and "inputs" of traced together: a function names the inputs'],
    [
      { aggregate: String, output: false },
      '"aggregate" and "output: false" of traced together: nobody sees what it makes',
    ],
    [{ kind: 'llm', attributes: { kind: 'tool' } }, '"kind" and "attributes.kind" of traced together: they differ'],
  ])('%o', (options, message) => {
    expect(thrownBy(() => wrap(fn, options))).toContain(`TypeError: Cannot use the options ${message}`);
  });

  test.each([
    [{ aggregate: String, output: false, usage: () => undefined }],
    [{ kind: 'llm', attributes: { kind: 'llm' } }],
    [{ args: ['a'], output: false }],
  ])('but not those that make sense: %o', (options) => {
    expect(wrap(fn, options)()).toBe(1);
  });

  test.each(['output', 'usage', 'aggregate'])('%s for a class', (option) => {
    class Thing {
      readonly size = 1;
    }
    const message = `TypeError: Cannot use the option "${option}" of traced with the class "Thing": instances are not recorded`;
    expect(thrownBy(() => wrap(Thing, { [option]: fn }))).toBe(message);
    expect(thrownBy(() => wrap({ [option]: fn })(Thing))).toBe(message);
  });
});

describe('decorators of what is no method are refused:', () => {
  const context = (kind: string) => ({ kind, name: 'total', static: false, private: false, addInitializer() {} });

  test.each(['getter', 'setter', 'accessor'])('a %s', (kind) => {
    expect(thrownBy(() => wrap(fn, context(kind)))).toBe(`TypeError: Cannot trace "total": a ${kind} is not a method`);
    expect(thrownBy(() => wrap({ kind: 'tool' })(fn, context(kind)))).toContain('is not a method');
  });

  test('a getter, a field and an accessor of experimentalDecorators', () => {
    class Owner {
      readonly size = 1;
    }
    const get = { get: fn, configurable: true };
    for (const args of [
      [Owner.prototype, 'total', get],
      [Owner.prototype, 'total'],
      [Owner, 'total', get],
    ]) {
      expect(thrownBy(() => wrap(...args))).toBe('TypeError: Cannot trace "total": it is not a method');
    }
  });

  test('a field that holds no function is left alone and reported, as it is found out when an instance is made', () => {
    const initialize = wrap(undefined, context('field'));
    expect(initialize(5)).toBe(5);
    expect(recording.problems).toMatchObject([
      { kind: 'traced_field', message: 'Cannot trace the field "total": want a function, got 5' },
    ]);
    expect(initialize(undefined)).toBeUndefined();
  });
});

describe('what comes with a call is reported, and the call goes on:', () => {
  /** As programs without types call it. */
  const run = trace as unknown as (name: unknown, fn: unknown, options?: unknown) => unknown;
  const start = startCall as unknown as (name: unknown, inputs?: unknown, options?: unknown) => { end(): void };
  const inContext = withContext as unknown as (options: unknown, fn: unknown) => unknown;

  test.each<[unknown, string, string]>([
    ['', 'anonymous', 'Cannot name a call "": want a text of 1 to 128 characters'],
    ['n'.repeat(129), 'n'.repeat(128), 'Cannot name a call another text: want a text of 1 to 128 characters'],
    [5, '5', 'Cannot name a call 5: want a text of 1 to 128 characters'],
    [Symbol('s'), 'Symbol(s)', 'Cannot name a call Symbol(s): want a text of 1 to 128 characters'],
    [undefined, 'undefined', 'Cannot name a call undefined: want a text of 1 to 128 characters'],
  ])('a name that is none: %s', (name, recorded, message) => {
    expect(run(name, fn)).toBe(1);
    start(name).end();
    expect(recording.calls().map(({ start: { op_name } }) => op_name)).toEqual([recorded, recorded]);
    expect(recording.problems).toMatchObject([{ kind: 'op_name', message }]);
  });

  test('names of 128 characters outside of the first plane are whole', () => {
    run('𝒏'.repeat(128), fn);
    expect(recording.problems).toEqual([]);
  });

  test.each<[unknown, string]>([
    [null, 'Cannot use the options of trace: want an object, got null'],
    [5, 'Cannot use the options of trace: want an object, got 5'],
    [
      { atributes: {} },
      'Cannot use the option "atributes" of trace: there is none of this name, did you mean "attributes"?',
    ],
    [{ kind: 'x' }, 'Cannot use the option "kind" of trace: want one of llm'],
    [{ sample: 2 }, 'Cannot use the option "sample" of trace: want a number from 0 to 1'],
    [{ inputs: 'x' }, 'Cannot use the option "inputs" of trace: want an object, got "x"'],
    [{ displayName: fn }, 'Cannot use the option "displayName" of trace: want a text, got a function'],
    [{ usage: 1 }, 'Cannot use the option "usage" of trace: want a function, got 1'],
  ])('options that are not as wanted: %o', (options, message) => {
    expect(run('ask', () => current().id, options)).toBe(recording.call('ask').start.id);
    expect(recording.problems).toHaveLength(1);
    expect(recording.problems[0]?.kind).toBe('call_options');
    expect(recording.problems[0]?.message).toContain(`Cannot record all of a call of "ask": ${message}`);
    recording.stop();
    recording = startRecording();
    start('ask', {}, options).end();
    expect(recording.call('ask').end).toBeDefined();
    expect(recording.problems).toHaveLength(1);
  });

  test('options that cannot be read are none', () => {
    const options = {
      get kind() {
        throw new Error('no kind');
      },
    };
    start('ask', {}, options).end();
    expect(recording.call('ask').end).toBeDefined();
    expect(recording.problems[0]?.message).toBe('Cannot record all of a call of "ask": no kind');
  });

  test('the others of the options count', () => {
    run('ask', fn, { kind: 'tool', smaple: 1, attributes: { city: 'Ulm' } });
    expect(recording.call('ask').start.attributes).toMatchObject({ kind: 'tool', city: 'Ulm' });
  });

  test.each<[unknown, string]>([
    [null, 'Cannot use the options of withContext: want an object, got null'],
    [
      { tread: 't' },
      'Cannot use the option "tread" of withContext: there is none of this name, did you mean "thread"?',
    ],
    [{ user: {} }, 'Cannot use the option "user" of withContext: want a text, got an object'],
    [{ run: true }, 'Cannot use the option "run" of withContext: want a text, got true'],
    [{ attributes: 'x' }, 'Cannot use the option "attributes" of withContext: want an object, got "x"'],
    [{ sample: 7 }, 'Cannot use the option "sample" of withContext: want a number from 0 to 1'],
    [{ enabled: 'no' }, 'Cannot use the option "enabled" of withContext: want true or false, got "no"'],
    [{ mask: 'all' }, 'Cannot use the option "mask" of withContext: want false, a function or an object with keys'],
  ])('a context that is not as wanted: %j', (options, message) => {
    const ask = wrap((word: unknown) => word, { name: 'ask' });
    expect(inContext(options, () => ask('hello'))).toBe('hello');
    expect(recording.call('ask').end).toBeDefined();
    expect(recording.problems).toHaveLength(1);
    expect(recording.problems[0]?.message).toContain(`Cannot record with all of the context: ${message}`);
  });

  test.each(['chat', '', 'a\nb\0', '😀'.repeat(1024)])(
    'a thread may have any name, and an empty one is none: %j',
    (id) => {
      expect(withThread(id, () => trace('ask', fn))).toBe(1);
      expect(recording.call('ask').start.thread_id).toBe(id === '' ? undefined : id);
      expect(recording.problems).toEqual([]);
    },
  );

  test('a thread id that is too long is none', () => {
    expect(withThread('😀'.repeat(1025), () => trace('ask', fn))).toBe(1);
    expect(recording.call('ask').start).not.toHaveProperty('thread_id');
    expect(recording.problems).toMatchObject([{ kind: 'thread_id' }]);
  });

  test('ids out of a database may be numbers or missing', () => {
    inContext({ thread: 7, user: 8, run: 9 }, () => trace('ask', fn));
    inContext({ thread: null, user: null, run: null }, () => trace('tell', fn));
    expect(recording.problems).toEqual([]);
    expect(recording.call('ask').start).toMatchObject({ thread_id: '7', attributes: { user: '8' } });
    expect(recording.call('ask').start.svc_run_id).toBe('acme/demo/9');
    expect(recording.call('tell').start).not.toHaveProperty('thread_id');
    expect(recording.call('tell').start.attributes).not.toHaveProperty('user');
  });

  test.each([{ mask: 'all' }, { mask: { key: ['word'] } }, { mask: { keys: 'word' } }, { mask: 0 }])(
    'a mask that is none hides all values: %j',
    (options) => {
      inContext(options, () => wrap((word: unknown) => word, { name: 'ask', args: ['word'] })('hello'));
      const { start: begun, end } = recording.call('ask');
      expect([begun.inputs, end?.output]).toEqual([{ word: '[masked]' }, '[masked]']);
    },
  );
});

test('nothing is checked and nothing thrown while nothing is recorded', () => {
  recording.stop();
  recording = startRecording({ isEnabled: false });
  const run = trace as unknown as (name: unknown, fn: unknown, options?: unknown) => unknown;
  expect(run('ask', fn, null)).toBe(1);
  expect(run(Symbol('s'), fn, { kind: 'x' })).toBe(1);
  expect(recording.problems).toEqual([]);
});

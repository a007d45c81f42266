import { Readable } from 'node:stream';
import { instrumentFunction, instrumentMethod, startCall } from 'spoor/instrument';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Recording, startRecording } from '../tracing/recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

interface Answer {
  readonly model: string;
  readonly text: string;
  readonly refusal?: string;
}

/** A library as there are many. */
class Oracle {
  readonly address = 'oracle.example';

  async ask(question: string): Promise<Answer> {
    if (question === '') throw new RangeError('Nothing was asked');
    if (question === 'Why?') return { model: 'delphi', text: '', refusal: 'It is not told' };
    return { model: 'delphi', text: `It is ${question.length}` };
  }

  async *stream(question: string): AsyncGenerator<string> {
    for (const word of question.split(' ')) yield word;
  }
}

const BASE = { library: 'oracle', name: 'oracle.ask' } as const;
const ANY = { ...BASE, inputs: false } as const;

function instrumented(): Oracle {
  const oracle = new Oracle();
  instrumentMethod(oracle, 'ask', {
    ...BASE,
    kind: 'llm',
    inputs: (question) => ({ question }),
    attributes() {
      return { provider: 'oracle', host: this.address };
    },
    usage: ({ model, text }) => ({ model, output: text.length }),
    failure: ({ refusal }) => (refusal === undefined ? undefined : new Error(refusal)),
  });
  instrumentMethod(oracle, 'stream', {
    library: 'oracle',
    name: 'oracle.stream',
    inputs: (question) => ({ question }),
    aggregate: (words) => words.join(' '),
  });
  return oracle;
}

describe('a method of a library', () => {
  test('is recorded with inputs, attributes, output and tokens', async () => {
    expect(await instrumented().ask('How far?')).toEqual({ model: 'delphi', text: 'It is 8' });
    const { start, end } = recording.call('oracle.ask');
    expect(start.inputs).toEqual({ question: 'How far?' });
    expect(start.attributes).toMatchObject({ kind: 'llm', provider: 'oracle', host: 'oracle.example' });
    expect(end?.output).toEqual({ model: 'delphi', text: 'It is 8' });
    expect(end?.summary).toMatchObject({ usage: { delphi: { requests: 1, output_tokens: 7 } } });
  });

  test('fails its call with what it rejects, or with what its result tells of', async () => {
    await expect(instrumented().ask('')).rejects.toThrow(RangeError);
    expect(recording.call('oracle.ask').end?.exception).toContain('Nothing was asked');
    recording.records.length = 0;
    expect(await instrumented().ask('Why?')).toMatchObject({ refusal: 'It is not told' });
    const { end } = recording.call('oracle.ask');
    expect(end?.exception).toContain('It is not told');
    expect(end?.output).toMatchObject({ model: 'delphi' });
  });

  test('ends its call with a stream, put together', async () => {
    const stream = instrumented().stream('north by north');
    expect(recording.call('oracle.stream').end).toBeUndefined();
    for await (const word of stream) if (word === 'by') break;
    const { end } = recording.call('oracle.stream');
    expect(end?.output).toBe('north by');
    expect(end?.summary).toMatchObject({ stream: { chunks: 2, reason: 'break' } });
  });

  test('of all objects of a class is recorded once, however often it is asked for', async () => {
    class Seer extends Oracle {}
    expect(instrumentMethod(Seer.prototype, 'ask', ANY)).toBe(true);
    expect(instrumentMethod(Seer.prototype, 'ask', ANY)).toBe(true);
    expect([Seer.prototype.ask.name, Seer.prototype.ask.length]).toEqual(['ask', 1]);
    await new Seer().ask('Who?');
    expect(recording.call('oracle.ask').start.inputs).toEqual({});
    await new Oracle().ask('Who?');
    expect(recording.calls().length).toBe(1);
  });

  test('that is not there, or cannot be covered, is said', () => {
    expect(instrumentMethod({}, 'ask', ANY)).toBe(false);
    expect(instrumentMethod(Object.freeze({ ask: () => 1 }), 'ask', ANY)).toBe(false);
  });

  test('goes on, and is recorded, when what describes it throws', async () => {
    const oracle = new Oracle();
    const fail = () => {
      throw new Error('broken');
    };
    instrumentMethod(oracle, 'ask', { ...BASE, inputs: fail, attributes: fail, usage: fail, failure: fail });
    expect(await oracle.ask('Who?')).toEqual({ model: 'delphi', text: 'It is 4' });
    expect(recording.call('oracle.ask').end?.output).toEqual({ model: 'delphi', text: 'It is 4' });
    expect(recording.problems.map(({ kind }) => kind).toSorted()).toEqual([
      'attributes_option',
      'failure_option',
      'inputs_option',
      'usage_option',
    ]);
  });
});

test('a function of a library is recorded, and what a library calls hangs below it', async () => {
  const oracle = instrumented();
  const consult = instrumentFunction(async (question: string) => (await oracle.ask(question)).text, {
    library: 'oracle',
    name: 'oracle.consult',
    inputs: (question) => ({ question }),
  });
  expect(await consult('Who?')).toBe('It is 4');
  const [outer, inner] = recording.calls();
  expect(inner?.start.parent_id).toBe(outer?.start.id);
});

test('what captured libraries do below a request is the same request', async () => {
  const oracle = instrumented();
  const model = instrumentFunction((question: string) => oracle.ask(question), {
    library: 'seer',
    name: 'seer.request',
    inputs: (question) => ({ question }),
    isRequest: true,
  });
  await model('Who?');
  expect(recording.calls().map(({ start }) => start.op_name)).toEqual(['seer.request']);
});

test('a call of a library that tells of its work by events is begun and ended by hand', () => {
  const call = startCall('oracle.vision', { at: 'dawn' }, { kind: 'other' });
  call.end('smoke');
  expect(recording.call('oracle.vision').end?.output).toBe('smoke');
});

test('streams of Node keep their pace', async () => {
  let made = 0;
  const source = {
    open: () =>
      new Readable({
        objectMode: true,
        highWaterMark: 1,
        read() {
          made += 1;
          this.push(made > 50 ? null : made);
        },
      }),
  };
  instrumentMethod(source, 'open', { library: 'oracle', name: 'oracle.open', inputs: false });
  const stream = source.open();
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(0);
  for await (const chunk of stream) if (chunk === 2) break;
  expect(made).toBeLessThan(6);
});

describe('misuse is refused:', () => {
  const anyOptions = (options: object) => options as typeof ANY;
  test.each<[string, () => unknown, string]>([
    ['no object', () => instrumentMethod(5 as unknown as object, 'x', ANY), 'want an object'],
    ['a class', () => instrumentFunction(Oracle as unknown as () => 1, ANY), 'no class'],
    ['no name', () => instrumentMethod({}, 'x', anyOptions({ library: 'x', inputs: false })), 'the option "name"'],
    ['no inputs', () => instrumentMethod({}, 'x', anyOptions(BASE)), 'without the option "inputs"'],
    [
      'an unknown option',
      () => instrumentMethod({}, 'x', anyOptions({ ...BASE, kinds: 'llm' })),
      'did you mean "kind"',
    ],
    ['a strange kind', () => instrumentMethod({}, 'x', anyOptions({ ...BASE, kind: 'x' })), 'want one of llm'],
  ])('%s', (_name, act, message) => expect(act).toThrow(message));
});

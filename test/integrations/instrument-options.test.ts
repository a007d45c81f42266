import { instrumentFunction, instrumentMethod } from 'spoor/instrument';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Recording, startRecording } from '../tracing/recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const BASE = { library: 'oracle', name: 'oracle.ask' } as const;
const ANY = { ...BASE, inputs: false } as const;

const problems = () => recording.problems.map(({ kind, message }) => `${kind}: ${message}`);

describe('an option of an instrumented function', () => {
  test('that is async is reported, and its rejection reaches nobody', async () => {
    const rejections: unknown[] = [];
    const listen = (reason: unknown) => void rejections.push(reason);
    process.on('unhandledRejection', listen);
    const broken = async (): Promise<never> => {
      throw new Error('later');
    };
    const ask = instrumentFunction((question: string) => question.length, {
      ...BASE,
      inputs: broken as unknown as () => Record<string, unknown>,
      attributes: broken as unknown as () => Record<string, unknown>,
    });
    expect(ask('Who?')).toBe(4);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(rejections).toEqual([]);
    expect(recording.call('oracle.ask')).toMatchObject({ start: { inputs: {} }, end: { output: 4 } });
    expect(problems().toSorted()).toEqual([
      expect.stringMatching(/^attributes_option: Cannot use the attributes option of op "oracle.ask": it is async/),
      expect.stringMatching(/^inputs_option: Cannot use the inputs option of op "oracle.ask": it is async/),
    ]);
  });

  test('is not asked where nothing is recorded', () => {
    recording.stop();
    recording = startRecording({ isEnabled: false });
    let asked = 0;
    const inputs = () => ({ asked: ++asked });
    const ask = instrumentFunction(() => 1, { ...BASE, inputs, attributes: inputs });
    expect([ask(), asked]).toEqual([1, 0]);
  });
});

describe('a failure is', () => {
  const answering = (answer: unknown) =>
    instrumentFunction(() => 'It is so', { ...ANY, failure: (() => answer) as () => Error });

  test.each([
    ['false', false, 'a boolean'],
    ['an empty text', '', 'a string'],
    ['a number', 0, 'a number'],
    ['a promise', Promise.resolve(), 'a promise'],
  ])('not %s, which is reported', (_name, answer, told) => {
    expect(answering(answer)()).toBe('It is so');
    expect(recording.call('oracle.ask').end).toEqual(expect.objectContaining({ output: 'It is so' }));
    expect(recording.call('oracle.ask').end).not.toHaveProperty('exception');
    expect(problems()).toEqual([
      `failure_option: Cannot use the failure option of op "oracle.ask": want an error or undefined, got ${told}`,
    ]);
  });

  test.each([[undefined], [null]])('not %s', (answer) => {
    answering(answer)();
    expect(recording.call('oracle.ask').end?.exception).toBeUndefined();
    expect(problems()).toEqual([]);
  });

  test('any other object', () => {
    answering({ message: 'It is not told' })();
    expect(recording.call('oracle.ask').end?.exception).toContain('It is not told');
    expect(problems()).toEqual([]);
  });
});

describe('recorded is', () => {
  class Tree {
    depth(levels: number): number {
      return levels === 0 ? 0 : 1 + this.depth(levels - 1);
    }
  }

  test('each level of a function that calls itself', () => {
    const tree = new Tree();
    instrumentMethod(tree, 'depth', { ...ANY, inputs: (levels) => ({ levels }) });
    expect(tree.depth(2)).toBe(2);
    const starts = recording.calls().map(({ start }) => start);
    expect(starts.map(({ inputs }) => inputs)).toEqual([{ levels: 2 }, { levels: 1 }, { levels: 0 }]);
    expect(starts.slice(1).map((start) => start.parent_id)).toEqual(starts.slice(0, -1).map(({ id }) => id));
  });

  test('the outermost alone where it is a request', () => {
    const tree = new Tree();
    instrumentMethod(tree, 'depth', { ...ANY, isRequest: true });
    expect(tree.depth(2)).toBe(2);
    expect(recording.calls().length).toBe(1);
  });

  test('a function once, however often it is instrumented', () => {
    const once = instrumentFunction((levels: number) => levels, ANY);
    expect(instrumentFunction(once, { ...ANY, name: 'oracle.again' })).toBe(once);
    expect(once(2)).toBe(2);
    expect(recording.calls().map(({ start }) => start.op_name)).toEqual(['oracle.ask']);
  });
});

import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const FIXTURE = new URL('../fixtures/experimental-decorators/agent.ts', import.meta.url);

interface AgentInstance {
  answer(question: string): Promise<string>;
  fail(): void;
  viaPrivate(): number;
}

interface AgentClasses {
  readonly Agent: { new (name: string): AgentInstance; load(file: string): string };
  readonly LoudAgent: new (name: string) => AgentInstance;
}

function compile(experimentalDecorators: boolean): string {
  return transformSync(readFileSync(FIXTURE, 'utf8'), {
    loader: 'ts',
    target: 'es2022',
    format: 'cjs',
    keepNames: true,
    tsconfigRaw: { compilerOptions: { experimentalDecorators } },
  }).code;
}

/** The same classes, compiled by the rules of the language or by those of `experimentalDecorators`. */
function agentClasses(experimentalDecorators: boolean): AgentClasses {
  const module = { exports: {} };
  // The fixture was written to be compiled here.
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function('module', 'exports', 'traced', compile(experimentalDecorators))(module, module.exports, traced);
  return module.exports as AgentClasses;
}

test('the two ways of compiling call decorators differently', () => {
  expect(compile(true)).toContain('__decorateClass(');
  expect(compile(false)).not.toContain('__decorateClass(');
});

for (const [mode, isExperimental] of [
  ['decorators of the language', false],
  ['experimental decorators', true],
] as const) {
  test(`${mode}: methods are named after the class that has them`, async () => {
    const { Agent } = agentClasses(isExperimental);
    const agent = new Agent('Ada');
    expect(await agent.answer('why')).toBe('Ada: why from page');
    expect(treeOf(recording)).toEqual(['Agent.answer(Agent.find, Agent.load)']);
    expect(recording.call('Agent.find').start).toMatchObject({
      inputs: { self: 'Agent', query: 'why' },
      attributes: { kind: 'retriever' },
    });
    expect(recording.call('Agent.load').start.inputs).toEqual({ self: 'Agent', file: 'page' });
  });

  test(`${mode}: an override and what it overrides are two ops`, async () => {
    const { LoudAgent } = agentClasses(isExperimental);
    expect(await new LoudAgent('Bob').answer('why')).toBe('BOB: WHY FROM PAGE');
    expect(treeOf(recording)).toEqual(['LoudAgent.answer(Agent.answer(Agent.find, Agent.load))']);
  });

  test(`${mode}: a throw keeps its error`, () => {
    const { Agent } = agentClasses(isExperimental);
    expect(() => new Agent('Ada').fail()).toThrow('not today');
    expect(recording.call('Agent.fail').end?.exception).toMatch(/^Error: not today/);
  });

  test(`${mode}: a decorated method keeps name, length and place`, () => {
    const { Agent } = agentClasses(isExperimental);
    const method = Object.getOwnPropertyDescriptor(Agent.prototype, 'answer');
    expect(method).toMatchObject({ enumerable: false, configurable: true, writable: true });
    expect([method?.value.name, method?.value.length]).toEqual(['answer', 1]);
  });

  test(`${mode}: a class whose constructor throws still throws`, () => {
    const { Agent } = agentClasses(isExperimental);
    expect(() => new Agent('')).toThrow('an agent has a name');
  });
}

test('private methods and fields that hold functions can be decorated', async () => {
  class Counter {
    #count = 0;

    @traced({ kind: 'tool' })
    #add(amount: number): number {
      this.#count += amount;
      return this.#count;
    }

    @traced
    readonly twice = (amount: number): number => this.#add(amount) + this.#add(amount);
  }
  expect(new Counter().twice(2)).toBe(6);
  expect(recording.calls().map(({ start }) => start.op_name)).toEqual(['Counter.twice', 'Counter.add', 'Counter.add']);
});

test('a class can be decorated', () => {
  @traced
  class Shape {
    readonly sides: number;
    constructor(sides: number) {
      this.sides = sides;
    }
  }
  expect(new Shape(3)).toBeInstanceOf(Shape);
  expect(recording.calls()[0]?.start.inputs).toEqual({ sides: 3 });
});

test('an accessor is refused with its name', () => {
  const context = { kind: 'getter', name: 'size', addInitializer() {}, static: false, private: false };
  expect(() => Reflect.apply(traced, undefined, [() => 1, context])).toThrow(
    'Cannot trace "size": a getter is not a method',
  );
  expect(() => Reflect.apply(traced, undefined, [{}, 'size', { get: () => 1 }])).toThrow('it is not a method');
});

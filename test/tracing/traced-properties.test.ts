import { types } from 'node:util';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { oddValue } from './odd-values.ts';
import { type Recording, startRecording } from './recording.ts';

/** `SPOOR_PROPERTY_RUNS=100000 SPOOR_PROPERTY_SEED=1` for the long form. */
const RUNS = Number(process.env['SPOOR_PROPERTY_RUNS'] ?? 400);
const SEED = Number(process.env['SPOOR_PROPERTY_SEED'] ?? 4);

/** What a random function does, step by step. */
type Step = 'log' | 'wait' | 'yield' | 'throw' | 'call itself' | 'change argument' | 'tick';

interface Plan {
  readonly kind: 'sync' | 'async' | 'generator' | 'async generator' | 'thenable';
  readonly steps: readonly Step[];
  /** How many values the consumer of a generator takes before it leaves, and how it leaves. */
  readonly taken: number;
  readonly leave: 'return' | 'throw' | 'stay';
  readonly options: readonly (
    | 'inputs'
    | 'output'
    | 'displayName'
    | 'usage'
    | 'aggregate'
    | 'no inputs'
    | 'no output'
  )[];
}

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom('sync', 'async', 'generator', 'async generator', 'thenable'),
  steps: fc.array(fc.constantFrom<Step>('log', 'wait', 'yield', 'throw', 'call itself', 'change argument', 'tick'), {
    maxLength: 8,
  }),
  taken: fc.nat(4),
  leave: fc.constantFrom('return', 'throw', 'stay'),
  // Options that contradict each other are refused where a function is wrapped.
  options: fc.oneof(
    fc.subarray<Plan['options'][number]>(['inputs', 'output', 'displayName', 'usage', 'aggregate']),
    fc.subarray<Plan['options'][number]>(['no inputs', 'no output', 'displayName', 'usage']),
  ),
});

type Wrap = (fn: (...args: unknown[]) => unknown, options: object) => (...args: unknown[]) => unknown;

let recording: Recording;
beforeEach(() => void (recording = startRecording()));
afterEach(() => recording.stop());

test(
  'bare and traced do the same in the same order, whatever the function',
  { timeout: 60_000 + RUNS * 50 },
  async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.array(oddValue, { maxLength: 3 }), async (given, odd) => {
        const args = odd.map(({ make }) => make());
        const bare = await observed(given, (fn) => fn, args);
        const before = recording.records.length;
        const wrapped = await observed(given, (fn, options) => traced(options)(fn), args);
        expect(wrapped.log).toEqual(bare.log);
        expect(wrapped.kinds).toEqual(bare.kinds);
        // By identity: values that throw when they are looked at are compared, too.
        expect(wrapped.values.length).toBe(bare.values.length);
        expect(wrapped.values.every((value, at) => isSame(value, bare.values[at]))).toBe(true);
        expect(recording.records.length).toBeGreaterThan(before);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: false },
    );
  },
);

/** A native promise comes out as the one that is derived from it. */
function isSame(wrapped: unknown, bare: unknown): boolean {
  return Object.is(wrapped, bare) || (types.isPromise(wrapped) && types.isPromise(bare));
}

interface Observed {
  /** Side effects in their order, those of the consumer among them. */
  readonly log: string[];
  readonly kinds: string[];
  /** What came out, which must be the very same. */
  readonly values: unknown[];
}

const THROWN = new Error('thrown by the function');
const LEFT = new RangeError('left');

async function observed(given: Plan, wrap: Wrap, args: readonly unknown[]): Promise<Observed> {
  const seen: Observed = { log: [], kinds: [], values: [] };
  const self = { name: 'receiver' };
  let depth = 0;
  const fn: (...args: unknown[]) => unknown = wrap(
    functionOf(given, seen, () => (depth++ < 2 ? fn : undefined)),
    optionsOf(given),
  );
  seen.log.push(`length ${fn.length}`);
  try {
    const result = Reflect.apply(fn, self, args);
    seen.kinds.push(kindOf(result));
    seen.log.push('returned');
    await consume(result, given, seen);
  } catch (error) {
    seen.kinds.push('thrown');
    seen.values.push(error);
  }
  return seen;
}

/** Options that are asked and fail must not be felt either. */
function optionsOf({ options }: Plan): object {
  const fail = () => {
    throw new Error('option');
  };
  const chosen: Record<string, unknown> = {};
  for (const option of options) chosen[option.replace('no ', '')] = option.startsWith('no ') ? false : fail;
  return { name: 'random', ...chosen };
}

function functionOf({ kind, steps }: Plan, seen: Observed, again: () => ((...args: unknown[]) => unknown) | undefined) {
  const plain = (step: Step, self: unknown, args: unknown[]): unknown => {
    seen.log.push(`${step} ${(self as { name?: string } | undefined)?.name} ${args.length}`);
    if (step === 'throw') throw THROWN;
    if (step === 'change argument') args.push('more');
    if (step === 'call itself') return again()?.(...args.slice(0, 1));
    return undefined;
  };
  switch (kind) {
    case 'sync':
      return function run(this: unknown, ...args: unknown[]) {
        for (const step of steps) plain(step, this, args);
        return args[0];
      };
    case 'async':
      return async function run(this: unknown, ...args: unknown[]) {
        for (const step of steps) {
          const below = plain(step, this, args);
          // Chains of their own may be interleaved in another way, so each is waited for.
          if (step === 'call itself') await (below as Promise<unknown> | undefined);
          if (step === 'wait') await Promise.resolve();
          if (step === 'tick') await new Promise(setImmediate);
        }
        return steps.length;
      };
    case 'generator':
      return function* run(this: unknown, ...args: unknown[]): Generator<unknown, unknown, unknown> {
        try {
          for (const step of steps) {
            plain(step, this, args);
            if (step === 'yield') seen.log.push(`got ${String(yield step)}`);
          }
          return args[0];
        } finally {
          seen.log.push('finally');
        }
      };
    case 'async generator':
      return async function* run(this: unknown, ...args: unknown[]): AsyncGenerator<unknown, unknown, unknown> {
        try {
          for (const step of steps) {
            plain(step, this, args);
            if (step === 'wait') await Promise.resolve();
            if (step === 'yield') seen.log.push(`got ${String(yield step)}`);
          }
          return steps.length;
        } finally {
          seen.log.push('finally');
        }
      };
    default:
      return function run(this: unknown, ...args: unknown[]) {
        return {
          // oxlint-disable-next-line unicorn/no-thenable -- wrappers must leave such results lazy.
          then: (done: (value: unknown) => void, fail: (error: unknown) => void) => {
            seen.log.push('started');
            try {
              for (const step of steps) plain(step, this, args);
              done(args.length);
            } catch (error) {
              fail(error);
            }
          },
        };
      };
  }
}

async function consume(result: unknown, { kind, taken, leave }: Plan, seen: Observed): Promise<void> {
  if (kind === 'sync') seen.values.push(result);
  if (kind === 'async' || kind === 'thenable') seen.values.push(await result);
  if (kind !== 'generator' && kind !== 'async generator') return;
  const iterator = result as Iterator<unknown> | AsyncIterator<unknown>;
  for (let at = 0; at < taken; at++) {
    const { value, done } = await iterator.next(at);
    seen.values.push(value, done);
    seen.log.push(`took ${at}`);
  }
  if (leave === 'return') seen.values.push((await iterator.return?.('left'))?.value);
  if (leave === 'throw') await iterator.throw?.(LEFT);
}

function kindOf(result: unknown): string {
  try {
    if (typeof result !== 'object' || result === null) return typeof result;
    return `${Object.prototype.toString.call(result)} ${String(result instanceof Promise)}`;
  } catch {
    return 'unreadable';
  }
}

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capture } from '../../src/tracing/capture/capture.ts';
import { type CaptureLimits, DEFAULT_CAPTURE_LIMITS } from '../../src/tracing/capture/capture-limits.ts';
import { compileMask } from '../../src/tracing/mask/mask.ts';
import { oddValue, stateOf } from './odd-values.ts';

/** `SPOOR_PROPERTY_RUNS=100000 SPOOR_PROPERTY_SEED=1` for the long form. */
const RUNS = Number(process.env['SPOOR_PROPERTY_RUNS'] ?? 300);
const SEED = Number(process.env['SPOOR_PROPERTY_SEED'] ?? 4);
const parameters = { numRuns: RUNS, seed: SEED, endOnFailure: false };
const timeout = 30_000 + RUNS * 20;

const MASK = compileMask(undefined);

const limits: fc.Arbitrary<CaptureLimits> = fc
  .record({
    maxFieldBytes: fc.integer({ min: 200, max: 30_000 }),
    maxStringLength: fc.integer({ min: 10, max: 20_000 }),
    maxValues: fc.integer({ min: 5, max: 500 }),
    maxDepth: fc.integer({ min: 1, max: 12 }),
  })
  .map((some) => ({ ...DEFAULT_CAPTURE_LIMITS, ...some }));

const widths = fc.oneof(fc.integer({ min: 2, max: 60 }), fc.constant(5000));

const jsonOf = (value: unknown, some: CaptureLimits) =>
  JSON.stringify(capture(value, 'inputs', MASK, some, undefined, undefined).value);

describe('whatever the value', { timeout }, () => {
  test('capture never throws and gives JSON', () => {
    fc.assert(
      fc.property(oddValue, ({ make }) => {
        const json = jsonOf(make(), DEFAULT_CAPTURE_LIMITS);
        expect(JSON.stringify(JSON.parse(json))).toBe(json);
      }),
      parameters,
    );
  });

  test('the JSON that is really made keeps the limit of a field', () => {
    fc.assert(
      fc.property(oddValue, limits, ({ make }, some) => {
        expect(Buffer.byteLength(jsonOf(make(), some))).toBeLessThanOrEqual(some.maxFieldBytes);
      }),
      parameters,
    );
  });

  test('capture changes nothing of it', () => {
    fc.assert(
      fc.property(oddValue, limits, ({ make }, some) => {
        const value = make();
        const before = stateOf(value);
        jsonOf(value, some);
        expect(stateOf(value)).toEqual(before);
      }),
      parameters,
    );
  });

  test('no more members are read than the limits say, however many there are', () => {
    fc.assert(
      fc.property(limits, widths, fc.boolean(), (some, width, isList) => {
        let reads = 0;
        const counted = (make: () => object): object =>
          new Proxy(make(), {
            get(target, name, receiver) {
              reads += 1;
              return Reflect.get(target, name, receiver);
            },
          });
        let value: unknown = 'leaf';
        for (let depth = 0; depth < 20; depth++) {
          const below = value;
          const members = Array.from({ length: width }, () => below);
          value = counted(() =>
            isList ? members : Object.fromEntries(members.map((member, at) => [`m${at}`, member])),
          );
        }
        jsonOf(value, some);
        // A few reads per value tell of what kind it is.
        expect(reads).toBeLessThan(20 * (some.maxValues + some.maxDepth) + 200);
      }),
      { ...parameters, numRuns: Math.ceil(RUNS / 3) },
    );
  });
});

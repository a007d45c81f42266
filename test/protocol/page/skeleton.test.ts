import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSkeleton } from '../../../src/protocol/page/decode-skeleton.ts';
import { SkeletonEncoder } from '../../../src/protocol/page/encode-skeleton.ts';
import { DETACHED, ROOT, SKELETON_STATES, type TraceSkeleton } from '../../../src/protocol/page/skeleton.ts';
import { blocksOf, type SkeletonCall, skeletonCall, START } from './skeleton-calls.ts';

function encode(...parts: (readonly SkeletonCall[])[]): Uint8Array {
  const encoder = new SkeletonEncoder();
  const bytes = [...blocksOf(parts).map((block) => encoder.encode(block)), encoder.end()];
  return Uint8Array.from(Buffer.concat(bytes));
}

function callOf({ id, ...fields }: Partial<SkeletonCall> & Pick<SkeletonCall, 'id'>): SkeletonCall {
  return skeletonCall(id, { endedAt: START + 1000, kind: 'llm', ...fields });
}

/** The calls as a skeleton says them. */
function callsOf(skeleton: TraceSkeleton): SkeletonCall[] {
  return skeleton.ids.map((id, index) => {
    const op = skeleton.ops[skeleton.op[index] ?? -1];
    const parent = skeleton.parents[index] ?? ROOT;
    const [endedAt = Number.NaN, cost = Number.NaN] = [skeleton.endedAt[index], skeleton.costs[index]];
    return {
      id,
      parentId: parent < 0 ? null : (skeleton.ids[parent] ?? null),
      startedAt: skeleton.startedAt[index] ?? 0,
      endedAt: Number.isNaN(endedAt) ? null : endedAt,
      op: op?.name ?? '',
      kind: op?.kind ?? '',
      name: skeleton.names.get(index) ?? op?.name ?? '',
      state: SKELETON_STATES[skeleton.states[index] ?? -1] ?? 'running',
      tokensIn: skeleton.tokensIn[index] ?? 0,
      tokensOut: skeleton.tokensOut[index] ?? 0,
      cost: Number.isNaN(cost) ? null : cost,
      error: skeleton.errors.get(index) ?? null,
      model: skeleton.models.get(index) ?? null,
      firstChunkMs: skeleton.firstChunkMs.get(index) ?? null,
    };
  });
}

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const id = fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-f]{1,40}$/), fc.string({ unit: 'grapheme', minLength: 1 }));
const calls = fc.uniqueArray(id, { maxLength: 60 }).chain((ids) =>
  fc.tuple(
    ...ids.map((own) =>
      fc.record<SkeletonCall>({
        id: fc.constant(own),
        parentId: fc.constantFrom(null, ...ids.filter((other) => other !== own)),
        startedAt: fc.integer({ min: -START, max: START + 1e9 }),
        endedAt: fc.option(fc.integer({ min: START - 1e6, max: START + 1e9 })),
        op: text,
        kind: fc.constantFrom('llm', 'tool', 'other'),
        name: text,
        state: fc.constantFrom(...SKELETON_STATES),
        tokensIn: fc.nat(),
        tokensOut: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        cost: fc.option(fc.integer({ min: -1e9, max: 1e9 }).map((units) => units / 1e9)),
        error: fc.option(text),
        model: fc.option(text),
        firstChunkMs: fc.option(fc.nat().map((micros) => micros / 1000)),
      }),
    ),
  ),
);

test('what was encoded is decoded, in whatever parts it came', () => {
  fc.assert(
    fc.property(calls, fc.nat(60), (all, cut) => {
      expect(callsOf(decodeSkeleton(encode(all.slice(0, cut), all.slice(cut))))).toEqual(all);
    }),
  );
});

test('a parent that did not come leaves its calls detached and is counted once', () => {
  const skeleton = decodeSkeleton(
    encode([callOf({ id: 'a', parentId: 'gone' }), callOf({ id: 'b', parentId: 'gone' }), callOf({ id: 'c' })]),
  );
  expect([...skeleton.parents]).toEqual([DETACHED, DETACHED, ROOT]);
  expect(skeleton).toMatchObject({ received: 3, missingParents: 1 });
});

test('a call that names itself as its parent is detached', () => {
  expect([...decodeSkeleton(encode([callOf({ id: 'a', parentId: 'a' })])).parents]).toEqual([DETACHED]);
});

test('a parent that started after its child, in a later part, is found', () => {
  const skeleton = decodeSkeleton(encode([callOf({ id: 'a', parentId: 'b' })], [callOf({ id: 'b' })]));
  expect([...skeleton.parents]).toEqual([1, ROOT]);
});

test('a call takes at most 40 bytes, over more than one block', () => {
  const many = Array.from({ length: 5000 }, (_item, index) =>
    callOf({
      id: uuidOf(index),
      parentId: index === 0 ? null : uuidOf(Math.floor(index / 8)),
      startedAt: START + index * 977,
      endedAt: START + index * 977 + 1_500_000,
      tokensIn: 1200 + index,
      tokensOut: 300,
      cost: 0.0123,
      model: 'gpt-4o-mini',
      firstChunkMs: 211.5,
    }),
  );
  const bytes = encode(many.slice(0, 4000), many.slice(4000));
  expect(bytes.length / many.length).toBeLessThanOrEqual(40);
  expect(callsOf(decodeSkeleton(bytes))).toEqual(many);
});

test('bytes that end too early, or are something else, are refused', () => {
  const bytes = encode([callOf({ id: uuidOf(1) }), callOf({ id: uuidOf(2), error: 'Error: no' })]);
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodeSkeleton(bytes.slice(0, length))).toThrow(RangeError);
  }
  expect(() => decodeSkeleton(new TextEncoder().encode('{"reason":"no"}'))).toThrow('no bytes of a skeleton');
});

function uuidOf(index: number): string {
  return `0199c8f0-7a3b-7${(index % 4096).toString(16).padStart(3, '0')}-8a00-${index.toString(16).padStart(12, '0')}`;
}

test.each([1e7, 1e9, 1e15, 1e300, Infinity])('a cost of %d leaves the calls around it readable', (cost) => {
  const written = ['a', 'b', 'c'].map((name) => callOf({ id: name, cost: name === 'b' ? cost : 0.25, tokensIn: 7 }));
  const read = callsOf(decodeSkeleton(encode(written.slice(0, 2), written.slice(2))));
  expect(read.map((call) => [call.id, call.tokensIn])).toEqual(written.map((call) => [call.id, 7]));
  expect(read.map((call) => call.cost)).toEqual([0.25, expect.any(Number), 0.25]);
  expect(read[1]?.cost).toBeGreaterThan(Math.min(cost, 4e6));
});

test('a parent whose place is not before its call is one that is named', () => {
  const [named, placed] = ['own', null].map((parentId) => {
    const [block] = blocksOf([[callOf({ id: 'own', parentId })]]);
    if (!block) throw new Error('There is a block');
    const encoder = new SkeletonEncoder();
    const parents = parentId === null ? Int32Array.of(0) : block.parents;
    return decodeSkeleton(Uint8Array.from(Buffer.concat([encoder.encode({ ...block, parents }), encoder.end()])));
  });
  expect(placed).toEqual(named);
});

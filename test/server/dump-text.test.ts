import { describe, expect, test } from 'vitest';
import { canonicalLength, type JsonValue, NumberToken } from '../../src/protocol/values/canonical-json.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/protocol/limits.ts';
import { W } from '../../src/protocol/spelling/dialect.ts';
import { translatorOf } from '../../src/protocol/spelling/translator.ts';
import type { Span } from '../../src/protocol/span/span.ts';
import { dumpOf } from '../../src/protocol/span/span-dump.ts';
import { toDump } from '../../src/server/ingest/calls/body-fields.ts';
import { dumpText } from '../../src/server/ingest/otlp/dump-text.ts';

const REF = 'weave:///acme/demo/call/c1';
const value = (index: number): JsonValue => [index, new NumberToken('1.0'), REF, 'é"\\', { 'a.b': null }];

function spanOf(events: number, links: number): Span {
  return {
    traceId: '1'.repeat(32),
    spanId: '2'.repeat(16),
    traceState: 'a=b',
    parentSpanId: '',
    name: 'n',
    kind: 'INTERNAL',
    startNanos: 1_767_225_600_000_000_001n,
    endNanos: 0n,
    attributes: [
      ['a.b', 1],
      ['events', 'é'],
    ],
    events: Array.from({ length: events }, (_, index) => ({
      name: `e${index}`,
      nanos: BigInt(index) * 1_000_000n,
      attributes: index % 2 ? [['k', value(index)]] : [],
    })),
    links: Array.from({ length: links }, (_, index) => ({
      traceId: '3'.repeat(32),
      spanId: String(index),
      traceState: '',
      attributes: index % 3 ? [] : [['ref', REF]],
    })),
    status: { code: 'OK', message: '' },
  };
}

const RESOURCE = { service: { name: 's' } };
const NATIVE = { resource: RESOURCE, tree: undefined, translator: undefined, limits: DEFAULT_LIMITS };

/** The text of a dump that was made as one value. */
const whole = (span: Span, limits: Limits = DEFAULT_LIMITS) => toDump(dumpOf(span, RESOURCE), Infinity, limits);

const COUNTS = [
  [0, 0],
  [1000, 0],
  [1001, 0],
  [0, 1001],
  [1000, 1000],
  [2500, 3001],
] as const;

describe.each(COUNTS)('a span of %i events and %i links', (events, links) => {
  const span = spanOf(events, links);

  test('is kept as it is in one piece', () => {
    const text = dumpText(span, NATIVE);
    expect(text).toBe(whole(span));
    expect(text.includes(REF)).toBe(events + links > 0);
  });

  test('is translated as it is in one piece', () => {
    const translator = translatorOf(W);
    const text = dumpText(span, { ...NATIVE, translator });
    expect(text).toBe(toDump(translator.value(dumpOf(span, RESOURCE)), Infinity, DEFAULT_LIMITS));
    expect(text.includes(REF)).toBe(false);
  });

  test('is kept up to the limit of bytes and levels', () => {
    const bytes = canonicalLength(dumpOf(span, RESOURCE));
    for (const call_bytes of [bytes, bytes - 1, bytes - 3, Math.ceil(bytes / 2)]) {
      const limits = { ...DEFAULT_LIMITS, call_bytes };
      expect(dumpText(span, { ...NATIVE, limits })).toBe(whole(span, limits));
    }
    for (const json_depth of [2, 3, 4, 5, 6, 7]) {
      const limits = { ...DEFAULT_LIMITS, json_depth };
      expect(dumpText(span, { ...NATIVE, limits })).toBe(whole(span, limits));
    }
  });
});

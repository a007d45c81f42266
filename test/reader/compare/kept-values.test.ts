import { describe, expect, test } from 'vitest';
import { compareCalls } from '../../../src/reader/compare/compare-calls.ts';
import { standingOf } from '../../../src/reader/compare/origins.ts';
import { traceOf } from './traces.ts';

const DIGEST_A = 'a'.repeat(43);
const DIGEST_B = 'b'.repeat(43);

const image = (digest: string, more: object = {}) => ({
  _type: 'CustomType',
  svc_type: { type: 'PIL.Image.Image' },
  files: { 'image.png': digest },
  media_type: 'image/png',
  size: 12_345,
  ...more,
});

const text = (kept: string, length: number) => `${kept} …[cut: ${length} characters]`;

/** A call with the value in its input, and one with it in its output. */
function compared(a: unknown, b: unknown) {
  const traces = [a, b].map((value) =>
    traceOf({ op: 'f', inputs: { doc: value }, calls: [{ op: 'g', output: value }] }),
  );
  const comparison = compareCalls(traces[0] ?? [], traces[1] ?? []);
  return { ...comparison, standings: comparison.calls.map(standingOf) };
}

describe('a stored file', () => {
  test.each([
    ['under another name', { files: { 'obj.bin': DIGEST_A } }],
    ['of another class', { _class: 'Uint8Array' }],
    ['with another beginning shown', { preview: 'abc' }],
  ])('is the same %s', (_how, more) => {
    const { isSame, standings } = compared(image(DIGEST_A), { ...image(DIGEST_A), ...more });
    expect([isSame, standings]).toEqual([true, ['same', 'same']]);
  });

  test('with another content is one place that differs, with both sizes', () => {
    const [a, b] = [image(DIGEST_A), image(DIGEST_B, { size: 12_400, preview: 'abc' })];
    const { calls, standings } = compared(a, b);
    expect(standings).toEqual(['input', 'output']);
    expect(calls[0]?.cause).toEqual({ kind: 'input', changes: [{ path: ['doc'], a, b }] });
    expect(calls[1]?.cause).toMatchObject({ kind: 'output', changes: [{ path: [], a, b }] });
  });

  test('in the place of another value is one, too', () => {
    const { calls } = compared('short', image(DIGEST_B));
    expect(calls[0]?.cause).toMatchObject({ kind: 'input', changes: [{ path: ['doc'] }] });
  });

  test('of which the content was not recorded is alike as far as recorded', () => {
    const { isSame, standings } = compared(image(DIGEST_A, { files: {} }), image(DIGEST_A, { files: {} }));
    expect([isSame, standings]).toEqual([false, ['cut', 'cut']]);
  });
});

describe('a value that was cut', () => {
  test.each([
    ['a text', text('begin', 99_999)],
    ['a text that the service cut', 'begin …[truncated]'],
    ['a list', ['one', '…[998 more of 999 items]']],
    ['members', { a: 1, _cut: '3 more of 203 keys' }],
    ['what is too deep', { deep: '[Object: 12 keys]' }],
    ['a list that is too deep', '[Array: 12 items]'],
    ['bytes', '[Buffer: 32 bytes]'],
    ['what could not be read', '[Unreadable]'],
    ['all of it', { _svc: { error: '<EXCEEDS_LIMITS>' } }],
  ])('is alike as far as recorded: %s', (_what, value) => {
    const { isSame, standings, counts, origins } = compared(value, value);
    expect(standings).toEqual(['cut', 'cut']);
    expect([isSame, origins, counts.cut, counts.same]).toEqual([false, [], 2, 0]);
  });

  test.each([
    ['kept to another place', text('abcdef', 1000), text('abc', 1000), 'cut'],
    ['whole on the other side', text('abc', 6), 'abcdef', 'cut'],
    ['of another length', text('abc', 1000), text('abc', 1001), 'input'],
    ['of another beginning', text('abc', 1000), text('abd', 1000), 'input'],
    ['whole on the other side, and other', text('abc', 6), 'abdxyz', 'input'],
  ])('is compared by what was kept: %s', (_how, a, b, standing) => {
    expect(compared(a, b).standings[0]).toBe(standing);
  });

  test('is no word of a text', () => {
    const { standings } = compared('see [Circular] and [1]', 'see [Circular] and [1]');
    expect(standings).toEqual(['same', 'same']);
    expect(compared('[Circular]', '[Circular]').standings).toEqual(['same', 'same']);
  });
});

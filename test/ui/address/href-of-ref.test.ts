import { expect, test } from 'vitest';
import { formatCallRef, formatObjectRef } from '../../../src/protocol/ref.ts';
import { hrefOfRef } from '../../../src/ui/address/href-of-ref.ts';

const DIGEST = 'a'.repeat(43);

test('a call leads to its panel in the list, whenever it was and whatever is around it', () => {
  expect(hrefOfRef(formatCallRef('local/app', 'c1'))).toBe('/local/app/calls?t=all&roots=0&sel=c1');
});

test('an op leads to its calls', () => {
  expect(hrefOfRef(formatObjectRef('local/app', 'op', 'send_email', DIGEST))).toBe(
    '/local/app/calls?q=op:send_email&t=all&roots=0',
  );
});

test.each([
  ['an object', formatObjectRef('local/app', 'object', 'prompt', DIGEST)],
  ['a text', 'no reference'],
])('%s has no page', (_, text) => {
  expect(hrefOfRef(text)).toBeUndefined();
});

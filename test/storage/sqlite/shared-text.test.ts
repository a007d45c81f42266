import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { feedbackOf, packFeedback } from '../../../src/storage/packed/packed-feedback.ts';
import { Packer, Unpacker } from '../../../src/storage/packed/packing.ts';
import { sharePacked } from '../../../src/storage/packed/shared-text.ts';
import type { StoredFeedback } from '../../../src/storage/contract/feedback.ts';

const unit = fc.oneof(fc.constantFrom('a', 'é', '\u00ff', '\u0100', '😀', '\ud83d', '"'), fc.string());
const text = fc.array(unit, { maxLength: 150 }).map((parts) => parts.join(''));

test('texts in shared memory are those that were put there, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), fc.array(fc.double({ noNaN: true })), (texts, numbers) => {
      const packer = new Packer();
      packer.begin(-4);
      packer.texts(texts);
      for (const number of numbers) packer.number(number);
      const unpacker = new Unpacker(structuredClone(sharePacked(packer.finish(1))));
      expect(unpacker.begin()).toBe(-4);
      expect(unpacker.texts()).toEqual(texts);
      expect(numbers.map(() => unpacker.number())).toEqual(numbers);
    }),
  );
});

test('what is shared is not copied when it is passed on', () => {
  const packer = new Packer();
  packer.begin(-4);
  packer.text('x'.repeat(1_000_000));
  const packed = sharePacked(packer.finish(1));
  const passed = structuredClone(packed);
  const bytesOf = ({ long: [long] }: typeof packed) => (typeof long === 'object' ? long.bytes : new Uint8Array());
  bytesOf(packed)[0] = 0x79;
  expect(bytesOf(passed)[0]).toBe(0x79);
});

test.each([1, 100, 3000])('%i feedbacks are the same when they were packed and shared', (count) => {
  const feedback = Array.from({ length: count }, (_, index): StoredFeedback => ({
    project_id: 'acme/demo',
    id: `f${index}`,
    svc_ref: `svc:///acme/demo/call/c${index % 7}`,
    creator: index % 2 === 0 ? null : 'someone',
    created_at: 1_700_000_000_000_000 + index,
    feedback_type: 'note',
    payload: JSON.stringify({ note: 'é😀'.repeat(index % 100) }),
    annotation_ref: null,
    runnable_ref: null,
    call_ref: null,
    trigger_ref: index % 3 === 0 ? 'svc:///acme/demo/object/o:x' : null,
    queue_id: null,
    svc_user_id: 'me',
  }));
  expect(feedbackOf(sharePacked(packFeedback(feedback)))).toEqual(feedback);
});

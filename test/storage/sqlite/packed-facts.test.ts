import { expect, test } from 'vitest';
import { packFacts, unpackFacts } from '../../../src/storage/packed/packed-facts.ts';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import { endFact, startFact } from '../../../src/testing/storage/facts.ts';

const REFS = ['svc:///acme/demo/object/a:v1', `svc:///acme/demo/object/${'b'.repeat(120)}:v1`];

/** Short and long texts, empty ones, the same again, none after some, wide characters and halves of a pair. */
const FACTS: readonly CallFact[] = [
  startFact('a'),
  startFact('a', { display_name: '', thread_id: 'Gespräch', turn_id: 't', parent_id: 'p', trace_id: null }),
  endFact('a', { exception: 'no\0', display_name: '', svc_run_step_end: 0 }),
  startFact('b', {
    inputs: JSON.stringify({ text: '😀'.repeat(200) }),
    otel_dump: '{}',
    input_refs: REFS,
    svc_run_id: 'r',
  }),
  endFact('b', { output: '"\uD800"', output_refs: REFS, summary: `{"s":"${'x'.repeat(101)}"}` }),
  startFact('c', {
    inputs: `"${'y'.repeat(98)}"`,
    attributes: `"${'y'.repeat(99)}"`,
    svc_run_step: -3,
    display_name: '\uDC00',
  }),
  endFact('c', { ended_at: -1, output: '', exception: null }),
];

test('facts come out as they were packed, in whatever order', () => {
  for (let first = 0; first < FACTS.length; first++) {
    for (let second = 0; second < FACTS.length; second++) {
      const facts = [FACTS[first], FACTS[second], ...FACTS].filter((fact) => fact !== undefined);
      expect(unpackFacts(structuredClone(packFacts(facts)))).toStrictEqual(facts);
    }
  }
  expect(unpackFacts(packFacts([]))).toEqual([]);
});

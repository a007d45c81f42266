import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CallState } from '../../../src/ui/trace/layout/skeleton.ts';
import { layOut } from '../../../src/ui/trace/layout/trace-layout.ts';
import { traceFacts } from '../../../src/ui/trace/trace-facts.ts';
import { type CachedOf, TraceHead } from '../../../src/ui/trace/trace-head.tsx';
import { type GivenCall, skeletonOf, START_US } from './skeletons.ts';

afterEach(cleanup);

function show(...calls: readonly GivenCall[]): void {
  const skeleton = skeletonOf(calls);
  const layout = layOut(skeleton, START_US);
  const facts = traceFacts(skeleton, layout);
  const cached: CachedOf = (tops) => <>, {tops.length} asked</>;
  render(<TraceHead trace={{ skeleton, layout }} facts={facts} now={4_000_000} cached={cached} actions={null} />);
}

test.each([
  ['ok', [{}, { parent: 0 }]],
  ['SMTPError 550', [{ state: CallState.error, error: 'SMTPError: 550 5.1.1 mailbox unavailable' }]],
  ['ValueError', [{ state: CallState.error, error: 'ValueError: 1234 is no code' }]],
  ['Error: 404, no such file', [{ state: CallState.error, error: 'Error: 404, no such file' }]],
  ['error', [{ state: CallState.error }]],
  ['1 error inside', [{}, { parent: 0, state: CallState.error }]],
  ['never ended', [{ state: CallState.neverEnded, end: null }]],
  ['running', [{ state: CallState.running, end: null }]],
  ['2 running', [{}, ...[0, 0].map((parent) => ({ parent, state: CallState.running, end: null }))]],
  ['1 never ended', [{}, { parent: 0, state: CallState.neverEnded, end: null }]],
  ['1 parent missing', [{}, { parent: -2 }]],
] satisfies [string, GivenCall[]][])('the head of a trace says how it is: %s', (words, calls) => {
  show(...calls);
  expect(screen.getByText(words)).toBeTruthy();
});

test.each([
  ['$0.021', [{ tokensIn: 1, cost: 0.021 }]],
  [
    '≥ $0.021',
    [
      { tokensIn: 2, cost: 0.021 },
      { parent: 0, tokensIn: 1 },
    ],
  ],
  ['no price', [{ tokensIn: 1 }]],
] satisfies [string, GivenCall[]][])('the head of a trace says what it cost: %s', (words, calls) => {
  show(...calls);
  expect(screen.getByText(words)).toBeTruthy();
});

test('the head of a trace without tokens says nothing of money', () => {
  show({});
  expect(screen.queryByText(/\$|no price/)).toBeNull();
});

test.each([
  [200, true],
  [201, false],
])('of %i outermost calls it is said what came from a cache: %s', (count, isSaid) => {
  show(...Array.from({ length: count }, () => ({ tokensIn: 1 })));
  expect(screen.queryByText(/asked$/) !== null).toBe(isSaid);
});

test.each([
  ['started 4 s ago', { state: CallState.running, end: null }],
  [undefined, { state: CallState.neverEnded, end: null }],
  [undefined, {}],
] satisfies [string | undefined, GivenCall][])('a trace that runs says when it began: %s', (words, call) => {
  show(call);
  expect(screen.queryByText(/^started/)?.textContent).toBe(words);
});

test.each([
  ['4.00 s…', [{ state: CallState.running, end: null }]],
  // Its last sign of life is no end, though its bar reaches up to there.
  [
    'no end',
    [
      { state: CallState.neverEnded, end: null },
      { parent: 0, end: 900 },
    ],
  ],
  ['900 ms', [{ end: 900 }, { parent: 0, state: CallState.neverEnded, end: null }]],
  // As long as the axis below it is.
  ['900 ms of 1.80 s', [{ end: 900 }, { parent: 0, start: 100, end: 1800 }]],
] satisfies [string, GivenCall[]][])('the head of a trace says how long it took, if it ended: %s', (words, calls) => {
  show(...calls);
  expect(document.querySelector('[data-fact="duration"]')?.textContent).toBe(words);
});

test.each([
  ['2 of 2 received', 'never ended', [{ state: CallState.neverEnded, end: null }, { parent: 0 }]],
  ['2 of 2 received', '1 never ended', [{}, { parent: 0, state: CallState.neverEnded, end: null }]],
  ['2 of 3 received', '1 parent missing', [{}, { parent: -2 }]],
  // The state says something else.
  [
    '2 of 2 received · 1 never ended',
    'error',
    [{ state: CallState.error }, { parent: 0, state: CallState.neverEnded, end: null }],
  ],
  [
    '3 of 3 received · 2 never ended',
    'never ended',
    [{ state: CallState.neverEnded, end: null }, { parent: 0, state: CallState.neverEnded, end: null }, { parent: 0 }],
  ],
] satisfies [string, string, GivenCall[]][])('what is missing is said once: %j beside %j', (received, state, calls) => {
  show(...calls);
  expect(document.querySelector('[data-fact="received"]')?.textContent).toBe(received);
  expect(screen.getAllByText(state)).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { paintHeavy } from '../../../src/ui/trace/canvas/paint-heavy.ts';
import type { Colours } from '../../../src/ui/trace/canvas/use-colours.ts';
import { heavyStacks } from '../../../src/ui/trace/layout/heavy-stacks.ts';
import { layOut } from '../../../src/ui/trace/layout/trace-layout.ts';
import { CallState } from '../../../src/ui/trace/layout/skeleton.ts';
import { type GivenCall, skeletonOf, START_US } from './skeletons.ts';

const WIDTH = 1000;

const CALLS: readonly GivenCall[] = [
  { op: 'run', end: 100 },
  { parent: 0, op: 'chat', kind: 'llm', model: 'big', start: 0, end: 40 },
  { parent: 0, op: 'chat', kind: 'llm', model: 'small', start: 40, end: 60 },
  { parent: 0, op: 'search', start: 60, end: 100 },
  { parent: 3, op: 'chat', kind: 'llm', model: 'big', start: 60, end: 70 },
];

const ACCENT = 'blue';
const ERROR = 'red';

/** Where outlines of a colour are drawn, as x and width. */
function outlines(
  selected: number | undefined,
  colour = ACCENT,
  calls: readonly GivenCall[] = CALLS,
): readonly (readonly [number, number])[] {
  const skeleton = skeletonOf(calls);
  const { tree, times } = layOut(skeleton, START_US);
  const stacks = heavyStacks({ tree, op: skeleton.op, states: skeleton.states, ...times });
  const total = stacks.filter(({ depth }) => depth === 0).reduce((sum, { weight }) => sum + weight, 0);
  const drawn: (readonly [number, number])[] = [];
  // The page of this test has no canvas: what is drawn on one is listed.
  const context = {
    strokeStyle: '',
    strokeRect: (x: number, _y: number, width: number) => {
      if (context.strokeStyle === colour) drawn.push([Math.round(x), Math.round(width)]);
    },
    ...Object.fromEntries(['setTransform', 'clearRect', 'fillRect', 'fillText'].map((name) => [name, () => undefined])),
    measureText: (text: string) => ({ width: text.length * 6 }),
  };
  const canvas = { width: 0, height: 0, getContext: () => context } as unknown as HTMLCanvasElement;
  const colours = { font: 'sans-serif', box: {}, bar: {}, accent: ACCENT, error: ERROR } as unknown as Colours;
  paintHeavy(canvas, { skeleton, tree, stacks, total, colours, width: WIDTH, height: 200, scrollTop: 0, selected });
  return drawn;
}

test('the stack of the selected call is outlined, also where its calls asked several models', () => {
  const chats = [[1, 597]];
  expect(outlines(1)).toEqual(chats);
  expect(outlines(2)).toEqual(chats);
  expect(outlines(3)).toEqual([[601, 397]]);
});

test('a stack of the same op that was reached through others is another one', () => {
  expect(outlines(4)).toEqual([[601, 97]]);
});

test('a stack in which calls failed is outlined all around, and still is while it is selected', () => {
  const calls = CALLS.map((call, index) => (index === 2 ? { ...call, state: CallState.error } : call));
  expect(outlines(undefined, ERROR)).toEqual([]);
  expect(outlines(3, ERROR, calls)).toEqual([[1, 597]]);
  expect(outlines(2, ERROR, calls)).toEqual([[3, 593]]);
  expect(outlines(2, ACCENT, calls)).toEqual([[1, 597]]);
});

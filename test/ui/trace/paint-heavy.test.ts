// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { paintHeavy } from '../../../src/ui/trace/canvas/paint-heavy.ts';
import type { Colours } from '../../../src/ui/trace/canvas/use-colours.ts';
import { heavyStacks } from '../../../src/ui/trace/layout/heavy-stacks.ts';
import { layOut } from '../../../src/ui/trace/layout/trace-layout.ts';
import { skeletonOf, START_US } from './skeletons.ts';

const WIDTH = 1000;

/** Where outlines are drawn, as x and width. */
function outlines(selected: number): readonly (readonly [number, number])[] {
  const skeleton = skeletonOf([
    { op: 'run', end: 100 },
    { parent: 0, op: 'chat', kind: 'llm', model: 'big', start: 0, end: 40 },
    { parent: 0, op: 'chat', kind: 'llm', model: 'small', start: 40, end: 60 },
    { parent: 0, op: 'search', start: 60, end: 100 },
  ]);
  const { tree, times } = layOut(skeleton, START_US);
  const stacks = heavyStacks({ tree, op: skeleton.op, states: skeleton.states, ...times });
  const total = stacks.filter(({ depth }) => depth === 0).reduce((sum, { weight }) => sum + weight, 0);
  const drawn: (readonly [number, number])[] = [];
  // The page of this test has no canvas: what is drawn on one is listed.
  const context = {
    strokeRect: (x: number, _y: number, width: number) => drawn.push([Math.round(x), Math.round(width)]),
    ...Object.fromEntries(['setTransform', 'clearRect', 'fillRect', 'fillText'].map((name) => [name, () => undefined])),
    measureText: (text: string) => ({ width: text.length * 6 }),
  };
  const canvas = { width: 0, height: 0, getContext: () => context } as unknown as HTMLCanvasElement;
  const colours = { font: 'sans-serif', box: {}, bar: {} } as Colours;
  paintHeavy(canvas, { skeleton, stacks, total, colours, width: WIDTH, height: 200, scrollTop: 0, selected });
  return drawn;
}

test('the stack of the selected call is outlined, also where its calls asked several models', () => {
  const chats = [[1, 597]];
  expect(outlines(1)).toEqual(chats);
  expect(outlines(2)).toEqual(chats);
  expect(outlines(3)).toEqual([[601, 397]]);
});

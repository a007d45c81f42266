import { expect, test } from 'vitest';
import { MAX_INDENT, type TreeItem, treeLines } from '../../../src/cli/output/tree.ts';

const item = (value: string, ...children: TreeItem<string>[]): TreeItem<string> => ({ value, children });

const draw = (...roots: TreeItem<string>[]) => [...treeLines(roots)].map((line) => line.guide + line.item.value);

test('guides join children to their parent', () => {
  expect(draw(item('a', item('b', item('c')), item('d', item('e'), item('f'))), item('g'))).toEqual([
    'a',
    '├─ b',
    '│  └─ c',
    '└─ d',
    '   ├─ e',
    '   └─ f',
    'g',
  ]);
});

test('the guide for further lines leads on to children and siblings', () => {
  const lines = [...treeLines([item('a', item('b', item('c')), item('d'))])];
  expect(lines.map(({ belowGuide }) => belowGuide)).toEqual(['│  ', '│  │  ', '│        ', '      ']);
});

test('a chain of 100,000 is drawn, its deep part without further indent', () => {
  let chain = item('end');
  for (let depth = 0; depth < 100_000; depth += 1) chain = item('x', chain);
  const lines = [...treeLines([chain])];
  expect(lines).toHaveLength(100_001);
  expect(lines.at(-1)).toMatchObject({ depth: 100_000 });
  expect(lines.at(-1)?.guide).toHaveLength(lines[MAX_INDENT + 1]?.guide.length ?? 0);
});

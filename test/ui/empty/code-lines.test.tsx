import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CodeLines } from '../../../src/ui/empty/code-lines.tsx';

afterEach(cleanup);

test('lines of code stay as they are, each with its own indent for what has no room in it', () => {
  const text = "const answer = traced(async () => {\n  return 'yes';\n\n});";
  const { container } = render(<CodeLines text={text} />);
  const lines = [...container.children].map((line) => line as HTMLElement);
  expect(lines.map(({ textContent }) => textContent)).toEqual(text.split('\n'));
  expect(lines.map(({ style }) => style.getPropertyValue('--blanks'))).toEqual(['0ch', '2ch', '0ch', '0ch']);
});

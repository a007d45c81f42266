import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { LiveButton } from '../../../src/ui/calls/live-button.tsx';
import { GoneContext } from '../../../src/ui/shell/gone.ts';

afterEach(cleanup);

const nothing = () => undefined;

test.each([
  ['Live', { isOn: true, isOpen: true, isGone: false }],
  ['Connecting', { isOn: true, isOpen: false, isGone: false }],
  // The stream may not know it yet.
  ['Connecting', { isOn: true, isOpen: true, isGone: true }],
  ['Not live', { isOn: true, isOpen: false, isIdle: true, isGone: false }],
  ['Paused', { isOn: false, isOpen: false, isGone: true }],
])('new calls come by themselves, or not: %s', (word, { isGone, ...state }) => {
  const { container } = render(
    <GoneContext value={isGone}>
      <LiveButton {...state} waiting={{ count: 0, isAtLeast: false }} onToggle={nothing} onShow={nothing} />
    </GoneContext>,
  );
  expect(container.textContent).toBe(word);
});

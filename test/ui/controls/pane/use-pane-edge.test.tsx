import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PaneHandle } from '../../../../src/ui/controls/pane/pane-handle.tsx';
import { type PaneSide, usePaneEdge } from '../../../../src/ui/controls/pane/use-pane-edge.ts';

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(1000);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Page({ side }: { readonly side: PaneSide }): ReactElement {
  const edge = usePaneEdge({
    side,
    keptAs: `test.${side}`,
    leastPx: 100,
    usualOf: (room) => room * 0.4,
    mostOf: (room) => room - 300,
  });
  return (
    <main>
      <aside ref={edge.ref} style={edge.style}>
        <PaneHandle edge={edge} label="Size" />
      </aside>
    </main>
  );
}

describe.each([
  ['left', 'vertical', 'width', 'ArrowLeft', 'ArrowRight'],
  ['top', 'horizontal', 'height', 'ArrowUp', 'ArrowDown'],
] as const)('the %s edge of a pane', (side, orientation, measure, grow, shrink) => {
  const edge = () => screen.getByRole('separator', { name: 'Size' });
  const size = () => [edge().getAttribute('aria-valuenow'), edge().parentElement?.style[measure]];

  test('is a separator, as long as the pane has room', () => {
    render(<Page side={side} />);
    expect(edge().getAttribute('aria-orientation')).toBe(orientation);
    expect(['min', 'max', 'now'].map((end) => edge().getAttribute(`aria-value${end}`))).toEqual(['100', '700', '400']);
    expect(size()).toEqual(['400', '400px']);
  });

  test('moves by keys along its axis, between both ends, and is remembered', () => {
    render(<Page side={side} />);
    fireEvent.keyDown(edge(), { key: grow });
    expect(size()).toEqual(['416', '416px']);
    fireEvent.keyDown(edge(), { key: shrink });
    fireEvent.keyDown(edge(), { key: shrink });
    expect(size()).toEqual(['384', '384px']);
    for (let presses = 0; presses < 60; presses++) fireEvent.keyDown(edge(), { key: grow });
    expect(size()).toEqual(['700', '700px']);
    cleanup();
    render(<Page side={side} />);
    expect(size()).toEqual(['700', '700px']);
  });

  test('has its usual size again after a double click', () => {
    render(<Page side={side} />);
    fireEvent.keyDown(edge(), { key: grow });
    fireEvent.doubleClick(edge());
    expect(size()).toEqual(['400', '400px']);
  });

  test('leaves keys of the other axis to others', () => {
    render(<Page side={side} />);
    for (const key of side === 'left' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'])
      expect(fireEvent.keyDown(edge(), { key })).toBe(true);
    expect(size()).toEqual(['400', '400px']);
  });
});

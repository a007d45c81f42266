import { useEffect, useRef } from 'react';

const FURTHER = 1.25;
const CLOSER = 0.8;

/**
 * A wheel with Ctrl or ⌘ zooms the chart, around a share of its width. Browsers zoom the whole page by it, too, and React
 * listens in a way that cannot tell them not to.
 */
export function useWheelZoom(pane: HTMLElement | null, onZoom: (factor: number, share: number) => void): void {
  const latest = useRef(onZoom);
  useEffect(() => {
    latest.current = onZoom;
  });
  useEffect(() => {
    if (pane === null) return undefined;
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, width } = pane.getBoundingClientRect();
      latest.current(event.deltaY > 0 ? FURTHER : CLOSER, (event.clientX - left) / width);
    };
    pane.addEventListener('wheel', turn, { passive: false });
    return () => pane.removeEventListener('wheel', turn);
  }, [pane]);
}

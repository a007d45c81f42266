import { useLayoutEffect, useState } from 'react';

/** Size of an element in px without its scroll bars, as it changes; 0 until there is one. */
export function useSize(element: HTMLElement | null): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const look = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

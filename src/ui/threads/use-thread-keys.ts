import { type RefObject, useRef } from 'react';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';

/** Keys that lead from thread to thread: the names are links, so Enter opens the one that has the focus. */
export function useThreadKeys(table: RefObject<HTMLTableElement | null>, onCopy: (link: string) => void): void {
  const last = useRef<Element>(null);
  const links = (): HTMLAnchorElement[] => [...(table.current?.querySelectorAll<HTMLAnchorElement>('tbody a') ?? [])];
  const go = (wanted: (at: number, count: number) => number) => () => {
    const all = links();
    const next = all[Math.max(0, Math.min(all.length - 1, wanted(placeIn(all, last.current), all.length)))];
    last.current = next ?? null;
    next?.focus();
  };
  // The first step leads to the first thread.
  const on = go((at) => at + 1);
  const back = go((at) => at - 1);
  // Elsewhere arrows scroll, and are those of menus.
  const within = () => table.current;
  useKeys('Threads', [
    { ...command('Threads', 'j'), run: on },
    { ...command('Threads', 'k'), run: back },
    { ...command('Threads', 'ArrowDown'), within, run: on },
    { ...command('Threads', 'ArrowUp'), within, run: back },
    { ...command('Threads', 'Home'), within, run: go(() => 0) },
    { ...command('Threads', 'End'), within, run: go((_, count) => count) },
    {
      ...command('Threads', 'y'),
      run: () => {
        const all = links();
        const link = all[placeIn(all, last.current)];
        if (link !== undefined) onCopy(link.href);
      },
    },
  ]);
}

/** The one that has the focus, else the one that was gone to last; `-1`: none. */
function placeIn(links: readonly Element[], last: Element | null): number {
  const focused = links.findIndex((link) => link === document.activeElement);
  return focused >= 0 || last === null ? focused : links.indexOf(last);
}

import { type RefObject, useRef } from 'react';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';

/** Keys that lead from line to line of a table: the names are links, so Enter opens the one that has the focus. */
export function useLinkKeys(
  part: 'Threads' | 'Runs',
  table: RefObject<HTMLTableElement | null>,
  onCopy: (link: string) => void,
): void {
  const last = useRef<Element>(null);
  const links = (): HTMLAnchorElement[] => [...(table.current?.querySelectorAll<HTMLAnchorElement>('tbody a') ?? [])];
  const go = (wanted: (at: number, count: number) => number) => () => {
    const all = links();
    const next = all[Math.max(0, Math.min(all.length - 1, wanted(placeIn(all, last.current), all.length)))];
    last.current = next ?? null;
    next?.focus();
  };
  // The first step leads to the first line.
  const on = go((at) => at + 1);
  const back = go((at) => at - 1);
  // Elsewhere arrows scroll, and are those of menus.
  const within = () => table.current;
  const keys = part === 'Threads' ? ofThreads() : ofRuns();
  useKeys(part, [
    { ...keys.next, run: on },
    { ...keys.previous, run: back },
    { ...keys.below, within, run: on },
    { ...keys.above, within, run: back },
    { ...keys.first, within, run: go(() => 0) },
    { ...keys.last, within, run: go((_, count) => count) },
    {
      ...keys.copy,
      run: () => {
        const all = links();
        const link = all[placeIn(all, last.current)];
        if (link !== undefined) onCopy(link.href);
      },
    },
  ]);
}

function ofThreads() {
  return {
    next: command('Threads', 'j'),
    previous: command('Threads', 'k'),
    below: command('Threads', 'ArrowDown'),
    above: command('Threads', 'ArrowUp'),
    first: command('Threads', 'Home'),
    last: command('Threads', 'End'),
    copy: command('Threads', 'y'),
  };
}

function ofRuns() {
  return {
    next: command('Runs', 'j'),
    previous: command('Runs', 'k'),
    below: command('Runs', 'ArrowDown'),
    above: command('Runs', 'ArrowUp'),
    first: command('Runs', 'Home'),
    last: command('Runs', 'End'),
    copy: command('Runs', 'y'),
  };
}

/** The one that has the focus, else the one that was gone to last; `-1`: none. */
function placeIn(links: readonly Element[], last: Element | null): number {
  const focused = links.findIndex((link) => link === document.activeElement);
  return focused >= 0 || last === null ? focused : links.indexOf(last);
}

import { useEffect, useState } from 'react';
import { COLOUR_KINDS } from '../../controls/signs/kind-colour.ts';

/** Colours of the page's tokens as a canvas takes them. */
export interface Colours {
  readonly bar: Readonly<Record<string, string>>;
  readonly box: Readonly<Record<string, string>>;
  readonly text: string;
  readonly bg: string;
  readonly surface: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly muted: string;
  readonly volume: string;
  readonly accent: string;
  readonly error: string;
  readonly warn: string;
  readonly running: string;
  readonly font: string;
}

/** Follows the theme of the page and of the system. */
export function useColours(element: HTMLElement | null): Colours | undefined {
  const [colours, setColours] = useState<Colours>();
  useEffect(() => {
    const read = (): void => setColours(element === null ? undefined : readColours(element));
    read();
    const system = matchMedia('(prefers-color-scheme: dark)');
    const page = new MutationObserver(read);
    system.addEventListener('change', read);
    page.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      system.removeEventListener('change', read);
      page.disconnect();
    };
  }, [element]);
  return colours;
}

/** A token is a formula (`light-dark`, `color-mix`): only an element that wears it knows the colour. */
function readColours(within: HTMLElement): Colours {
  const probe = within.appendChild(document.createElement('i'));
  probe.style.forcedColorAdjust = 'none';
  const colour = (formula: string): string => {
    probe.style.color = formula;
    return getComputedStyle(probe).color;
  };
  const mixed = (share: number): Record<string, string> =>
    Object.fromEntries(
      COLOUR_KINDS.map((kind) => [kind, colour(`color-mix(in srgb, var(--kind-${kind}) ${share}%, var(--bg))`)]),
    );
  const colours: Colours = {
    bar: mixed(70),
    box: mixed(30),
    text: colour('var(--text)'),
    bg: colour('var(--bg)'),
    surface: colour('var(--surface)'),
    line: colour('var(--line)'),
    lineStrong: colour('var(--line-strong)'),
    muted: colour('var(--muted)'),
    volume: colour('var(--volume)'),
    accent: colour('var(--accent)'),
    error: colour('var(--err)'),
    warn: colour('var(--warn)'),
    running: colour('var(--running)'),
    font: getComputedStyle(within).fontFamily,
  };
  probe.remove();
  return colours;
}

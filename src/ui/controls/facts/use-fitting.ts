import { type CSSProperties, type RefCallback, useLayoutEffect, useState } from 'react';
import { fittingCount, widthOf } from './fitting-count.ts';

/** Marks what is measured, and what of it stands in the line. */
const FACT = 'data-fact';
const MORE_PX = 24;

export interface Fitting {
  /** For the line. */
  readonly ref: RefCallback<HTMLElement>;
  /** `--whole`: how wide the line would be with all of them. */
  readonly style: CSSProperties;
  /** From the first on. */
  readonly count: number;
}

interface Measure {
  readonly count: number;
  readonly wholePx: number | undefined;
}

/**
 * How many facts have room in a line, measured again whenever the line or a fact is as wide as it was not. `names`: of the
 * facts; what does not fit stays where it can be measured.
 */
export function useFitting(names: readonly string[]): Fitting {
  const [line, ref] = useState<HTMLElement | null>(null);
  const [{ count, wholePx }, setMeasure] = useState<Measure>({ count: names.length, wholePx: undefined });
  const known = names.join('\n');
  useLayoutEffect(() => {
    if (line === null) return undefined;
    const facts = [...line.querySelectorAll<HTMLElement>(`[${FACT}]`)];
    const look = (): void => {
      const next = measure(line, facts);
      setMeasure((was) => (was.count === next.count && was.wholePx === next.wholePx ? was : next));
    };
    look();
    const observer = new ResizeObserver(look);
    for (const element of [line, ...facts]) observer.observe(element);
    return () => observer.disconnect();
  }, [line, known]);
  return {
    ref,
    style: (wholePx === undefined ? {} : { '--whole': `${wholePx}px` }) as CSSProperties,
    count: Math.min(count, names.length),
  };
}

function measure(line: HTMLElement, facts: readonly HTMLElement[]): Measure {
  const widths = facts.map((fact) => fact.getBoundingClientRect().width);
  const gapPx = Number.parseFloat(getComputedStyle(facts[0]?.parentElement ?? line).columnGap) || 0;
  const room = { px: line.getBoundingClientRect().width, gapPx, morePx: MORE_PX };
  return { count: fittingCount(widths, room), wholePx: Math.ceil(widthOf(widths, gapPx)) };
}

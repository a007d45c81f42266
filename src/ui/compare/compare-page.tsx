import { type ReactElement, useRef } from 'react';
import { useLocation } from 'wouter';
import { COMPARE } from '../address/pages.ts';
import { paths } from '../address/paths.ts';
import { useAddress } from '../address/use-address.ts';
import type { ShownSide, Sides } from './answer/answer.ts';
import classes from './compare-page.module.css';
import { CompareView } from './compare-view.tsx';
import { CompareHead } from './head/compare-head.tsx';
import { Uncompared } from './uncompared.tsx';
import { useComparison } from './use-comparison.ts';

/** Two calls, or two traces, call by call: what differs, and what from. */
export function ComparePage({ project }: { readonly project: string }): ReactElement {
  const address = useAddress(COMPARE);
  const [state, change] = address;
  const [, navigate] = useLocation();
  const compared = useComparison(project, state);
  const { answer, comparer } = compared;
  const isFocusOwed = useRef(false);
  const step = useRef<Step>(undefined);
  const comparing = {
    ...compared,
    again: () => {
      // Of what is pressed for that, little is there afterwards.
      isFocusOwed.current = true;
      compared.again();
    },
  };
  const sides: Partial<Sides<ShownSide>> = answer?.sides ?? {};
  const page = {
    project,
    address,
    comparing,
    onBack: () => navigate(paths.calls(project)),
    // Both by their ids: the run before one of them is none of the other.
    onSwap: () => {
      if (sides.a !== undefined && sides.b !== undefined) change({ a: sides.b.id, b: sides.a.id });
    },
    isFocusOwed,
  };
  const isCompared = answer?.state === 'compared';
  return (
    <div className={classes.view}>
      <title>{`${titleOf(sides)} · ${project.split('/').at(-1)} · spoor`}</title>
      {/* One for all that is compared: who swaps sides, or chooses one, goes on where they are. */}
      <CompareHead
        {...page}
        sides={sides}
        isRunning={isCompared && answer.totals.a.open + answer.totals.b.open > 0}
        onStep={isCompared && answer.pairs.kind.some((kind) => kind !== 0) ? (by) => step.current?.(by) : undefined}
      />
      {isCompared && comparer !== undefined ? (
        <CompareView key={answer.key} {...page} answer={answer} comparer={comparer} step={step} />
      ) : (
        <Uncompared {...page} />
      )}
    </div>
  );
}

/** Goes to the next difference, or back. */
type Step = ((by: 1 | -1) => void) | undefined;

function titleOf({ a, b }: Partial<Sides<ShownSide>>): string {
  const name = b?.name ?? a?.name;
  return name === undefined ? 'Compare' : `Compare ${name}`;
}

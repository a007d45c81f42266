import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { COMPARE } from '../address/pages.ts';
import { paths } from '../address/paths.ts';
import { useAddress } from '../address/use-address.ts';
import type { ShownSide, Sides } from './answer/answer.ts';
import { CompareView } from './compare-view.tsx';
import { Uncompared } from './uncompared.tsx';
import { useComparison } from './use-comparison.ts';

/** Two calls, or two traces, call by call: what differs, and what from. */
export function ComparePage({ project }: { readonly project: string }): ReactElement {
  const address = useAddress(COMPARE);
  const [state, change] = address;
  const [, navigate] = useLocation();
  const comparing = useComparison(project, state);
  const { answer, comparer } = comparing;
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
  };
  return (
    <>
      <title>{`${titleOf(sides)} · ${project.split('/').at(-1)} · spoor`}</title>
      {answer?.state === 'compared' && comparer !== undefined ? (
        <CompareView key={answer.key} {...page} answer={answer} comparer={comparer} />
      ) : (
        <Uncompared {...page} />
      )}
    </>
  );
}

function titleOf({ a, b }: Partial<Sides<ShownSide>>): string {
  const name = b?.name ?? a?.name;
  return name === undefined ? 'Compare' : `Compare ${name}`;
}

import { type RefObject, useRef } from 'react';
import type { ShownCalls } from '../list/use-shown-calls.ts';
import { addressOfIds, idsOfAddress, keptCountOf } from './kept-ids.ts';
import type { ComparedSelection } from './use-differences.ts';

/** The panel beside a list that tells what some calls have more or less often than others. */
export interface Why {
  readonly isOpen: boolean;
  /** The calls that are compared; undefined while none are meant, or nobody knows which. */
  readonly compared: ComparedSelection | undefined;
  /** How many calls are compared that are too many for the address; 0: it names them. */
  readonly keptCount: number;
  /** Set once somebody has opened it, or asked for more in it: it takes the focus when it is there. */
  readonly takesFocus: RefObject<boolean>;
  /** For the selected calls, or else for those of the filter; where it is open for these, it is closed. */
  readonly toggle: () => void;
  readonly close: () => void;
}

/** The part of a list that is needed. */
interface WhyList extends Pick<ShownCalls, 'state' | 'change' | 'chosen'> {
  readonly wanted: Pick<ShownCalls['wanted'], 'sums'>;
}

/** The state of it, which is in the address. A call that is looked at stands before it. */
export function useWhy(
  project: string,
  { state: { q, sel, why, of }, change, wanted: { sums }, chosen }: WhyList,
): Why {
  const takesFocus = useRef(false);
  const isOpen = why && sel === '';
  const close = () => change({ why: false, of: [] });
  return {
    isOpen,
    compared: sums === undefined ? undefined : comparedOf(),
    keptCount: keptCountOf(of),
    takesFocus,
    toggle: () => {
      const ids = addressOfIds(chosen.map(({ id }) => id));
      if (isOpen && (ids.length === 0 || ids.join() === of.join())) return close();
      // Where none are meant it waits, and must not take the focus from who writes a filter.
      takesFocus.current = ids.length > 0 || q !== '';
      change({ why: true, of: ids, sel: '' });
    },
    close,
  };

  function comparedOf(): ComparedSelection | undefined {
    if (sums === undefined) return undefined;
    const ids = idsOfAddress(of);
    if (ids === undefined) return undefined;
    if (ids.length > 0) return { selection: { project_id: project, filter: { call_ids: [...ids] } }, against: sums };
    return q === '' ? undefined : { selection: sums };
  }
}

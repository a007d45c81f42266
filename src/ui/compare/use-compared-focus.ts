import { type RefObject, useEffect } from 'react';
import { isFocusLost } from '../controls/lost-focus.ts';
import { useFocusHandedOn } from '../controls/use-focus-handed-on.ts';

/** The selected line of the tree; in other forms of the page what is scrolled. */
const MAIN = '[role="row"][tabindex="0"], [role="region"][tabindex="0"]';

/** For what was compared: takes the focus that what stood there before has lost, and leaves word where it has it itself. */
export function useComparedFocus(isFocusOwed: RefObject<boolean>): RefObject<HTMLDivElement | null> {
  const part = useFocusHandedOn<HTMLDivElement>(() => {
    isFocusOwed.current = true;
  });
  useEffect(() => {
    if (isFocusOwed.current && isFocusLost()) part.current?.querySelector<HTMLElement>(MAIN)?.focus();
    isFocusOwed.current = false;
  }, [isFocusOwed, part]);
  return part;
}

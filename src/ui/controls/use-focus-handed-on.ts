import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * For a part that goes as one of its buttons is used, which would leave the focus nowhere.
 *
 * @param onLeave gives the focus to something else; called as the part goes with the focus in it
 */
export function useFocusHandedOn<Part extends HTMLElement>(onLeave: () => void): RefObject<Part | null> {
  const part = useRef<Part>(null);
  const latest = useRef(onLeave);
  useEffect(() => {
    latest.current = onLeave;
  });
  useLayoutEffect(() => {
    const own = part.current;
    return () => {
      if (own?.contains(document.activeElement) === true) latest.current();
    };
  }, []);
  return part;
}

import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';

/** Where the bar on top of a phone takes what a page puts there; null where there is no such bar. */
export const PhoneBarContext = createContext<HTMLElement | null>(null);

/** Is there a bar that a page can put something into? */
export function useHasPhoneBar(): boolean {
  return use(PhoneBarContext) !== null;
}

/** Stands in the bar on top of a phone, in the place of the project. */
export function InPhoneBar({ children }: { readonly children: ReactNode }): ReactNode {
  const place = use(PhoneBarContext);
  return place === null ? undefined : createPortal(children, place);
}

import { createContext, useContext } from 'react';

/** Is the service known not to answer? A stream of changes may look open for long after that. */
export const GoneContext = createContext(false);

export function useIsGone(): boolean {
  return useContext(GoneContext);
}

import { createContext, useContext } from 'react';

/** How many calls are below the one that is shown; `undefined` where nobody knows, as beside a list. */
export const CallsBelowContext = createContext<number | undefined>(undefined);

export function useCallsBelow(): number | undefined {
  return useContext(CallsBelowContext);
}

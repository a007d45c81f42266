import { createContext, useContext } from 'react';

/** When what is shown was written down, in milliseconds since 1970; `undefined`: it is of now, and goes on. */
export const AsOfContext = createContext<number | undefined>(undefined);

export function useAsOf(): number | undefined {
  return useContext(AsOfContext);
}

import { createContext, useContext } from 'react';

/** When what is shown was written down, in milliseconds since 1970; `undefined`: it is of now, and goes on. */
export const AsOfContext = createContext<number | undefined>(undefined);

export function useAsOf(): number | undefined {
  return useContext(AsOfContext);
}

/** Is the page paused? Nothing that it shows changes by itself then: neither is anything read, nor does a time go on. */
export const PausedContext = createContext(false);

export function useIsPaused(): boolean {
  return useContext(PausedContext);
}

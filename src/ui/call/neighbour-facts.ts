import { createContext, useContext } from 'react';
import type { Fact } from '../controls/signs/facts.tsx';

/** What can be said of a call only by who knows the calls around it; shown where the call itself has few numbers. */
export const NeighbourFactsContext = createContext<readonly Fact[]>([]);

export function useNeighbourFacts(): readonly Fact[] {
  return useContext(NeighbourFactsContext);
}

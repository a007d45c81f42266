import { createContext, useContext } from 'react';
import type { Fact } from '../controls/facts/facts.tsx';

/** Facts of a call that only who knows the calls around it can tell; shown where the call itself has few numbers. */
export const NeighbourFactsContext = createContext<readonly Fact[]>([]);

export function useNeighbourFacts(): readonly Fact[] {
  return useContext(NeighbourFactsContext);
}

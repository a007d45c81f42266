import type { RefObject } from 'react';
import type { CompareState } from '../address/pages.ts';
import type { ChangeAddress } from '../address/use-address.ts';
import type { Comparing } from './use-comparison.ts';

/** The parts that all forms of the page are made of. */
export interface ComparePlace {
  readonly project: string;
  readonly address: readonly [CompareState, ChangeAddress<CompareState>];
  readonly comparing: Comparing;
  readonly onBack: () => void;
  readonly onSwap: () => void;
  /** Set when what had the focus has gone: the next tree takes it. */
  readonly isFocusOwed: RefObject<boolean>;
}

import { createContext, useContext } from 'react';
import type { ToolCallPart } from './chat.ts';

/** The call that carried out what a model asked for, as far as a trace knows it. */
export interface ToolCallPlace {
  readonly href: string | undefined;
  /** The error that it threw, in one line. */
  readonly error: string | undefined;
}

/** Where the call is recorded; `undefined` where nobody knows. */
export type FindToolCall = (call: ToolCallPart) => ToolCallPlace | undefined;

export const ToolCallPlaceContext = createContext<FindToolCall>(() => undefined);

export function useToolCallPlace(call: ToolCallPart): ToolCallPlace | undefined {
  return useContext(ToolCallPlaceContext)(call);
}

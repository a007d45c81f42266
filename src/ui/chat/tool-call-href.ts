import { createContext, useContext } from 'react';
import type { ToolCallPart } from './chat.ts';

/** Where the call is recorded that carried out what a model asked for; `undefined` where nobody knows. */
export type ToolCallHref = (call: ToolCallPart) => string | undefined;

export const ToolCallHrefContext = createContext<ToolCallHref>(() => undefined);

export function useToolCallHref(): ToolCallHref {
  return useContext(ToolCallHrefContext);
}

import { createContext, useContext, useEffect } from 'react';

/** Told whether a call has source to show, as soon as that is known: lines of source need a wider pane than words. */
export const CodeRoomContext = createContext<((hasSource: boolean) => void) | undefined>(undefined);

/** @param hasSource `undefined` while nobody knows: the pane stays as it is */
export function useCodeRoom(hasSource: boolean | undefined): void {
  const tell = useContext(CodeRoomContext);
  useEffect(() => {
    if (hasSource !== undefined) tell?.(hasSource);
  }, [tell, hasSource]);
}

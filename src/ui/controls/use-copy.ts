import { useCallback } from 'react';
import { copyText, NOT_COPIED } from '../json/copy-text.ts';
import { useToast } from './toast.tsx';

/** Copies a text and says so, or that the browser did not let it. */
export function useCopy(): (text: string, said?: string) => void {
  const toast = useToast();
  return useCallback(
    (text, said = 'Copied') => void copyText(text).then((isCopied) => toast({ text: isCopied ? said : NOT_COPIED })),
    [toast],
  );
}

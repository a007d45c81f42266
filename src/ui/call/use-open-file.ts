import { useCallback } from 'react';
import { type CodePlace, placeToOpen } from '../../protocol/values/code-place.ts';
import { useToast } from '../controls/toast.tsx';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';
import type { CallRecord } from './call-record.ts';
import { useCallSource } from './call-source.ts';

type OpenFile = (place: CodePlace) => void;

/** Shows a line in the editor, or says why it is not shown; `undefined` where there is no editor. */
export function useOpenFile(): OpenFile | undefined {
  const { openFile } = useCallSource();
  const toast = useToast();
  const open = useCallback<OpenFile>(
    (place) =>
      void openFile?.(place).catch((error: unknown) =>
        toast({ text: `Not opened: ${error instanceof Error ? error.message : String(error)}` }),
      ),
    [openFile, toast],
  );
  return openFile === undefined ? undefined : open;
}

/** The key for the line to look at first of a call. */
export function useOpenFileKey({ exception, attributes }: CallRecord): void {
  const open = useOpenFile();
  const place = placeToOpen(exception, attributes.value);
  const isThere = open !== undefined && place !== undefined;
  useKeys('Call', isThere ? [{ ...command('Call', 'o'), run: () => open(place) }] : []);
}

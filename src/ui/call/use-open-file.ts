import { useCallback, useMemo } from 'react';
import { type CodePlace, placeToOpen } from '../../protocol/values/code-place.ts';
import { useToast } from '../controls/toast.tsx';
import { cutMarkOf } from '../json/cut-mark.ts';
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

/** Opens the line to look at first of a call, by its key too; `undefined` where there is no editor, or nobody knows the line. */
export function useOpenCall({ exception, attributes }: CallRecord): (() => void) | undefined {
  const open = useOpenFile();
  const hasEditor = open !== undefined;
  const place = useMemo(
    () => (hasEditor ? placeToOpen(keptOf(exception), attributes.value) : undefined),
    [hasEditor, exception, attributes],
  );
  const run = open && place && (() => open(place));
  useKeys('Call', run === undefined ? [] : [{ ...command('Call', 'o'), run }]);
  return run;
}

/** Without the words about what was cut. */
function keptOf(exception: string | undefined): string | undefined {
  return exception === undefined ? undefined : (cutMarkOf(exception)?.kept ?? exception);
}

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { useToast } from '../controls/toast.tsx';
import type { CallRow, CallsSelection } from '../data/answers.ts';
import { deleteCalls } from '../data/call-rows.ts';
import { exportCalls, type ExportFormat } from '../data/export-calls.ts';
import type { GivenFeedback } from '../data/give-feedback.ts';
import { formatBytes } from '../format/bytes.ts';
import { copyText, NOT_COPIED } from '../json/copy-text.ts';
import { countOf } from '../format/count.ts';
import { asCommands, asCurl, asLinks, asTypeScript, type CopyContext, selectionOf } from './copy-as.ts';
import { useGivingToAll } from './use-giving-to-all.ts';

export type CopyForm = 'link' | 'command' | 'curl' | 'typescript' | 'json';

export interface ActionsOptions {
  readonly project: string;
  readonly selection: CallsSelection | undefined;
  /** Those selected, or the one with the focus. */
  readonly rows: readonly CallRow[];
  readonly onHide: (ids: readonly string[]) => void;
  readonly onShow: (ids: readonly string[]) => void;
  readonly onDone: () => void;
}

export interface Actions {
  readonly exportAs: (format: ExportFormat, isAll: boolean) => void;
  readonly copy: (as: CopyForm) => void;
  readonly give: (given: GivenFeedback) => void;
  readonly remove: () => void;
  /** The export that is under way. */
  readonly progress: ReactNode;
}

const FORMS: Readonly<Record<CopyForm, (context: CopyContext) => string>> = {
  link: asLinks,
  command: asCommands,
  curl: asCurl,
  typescript: asTypeScript,
  json: ({ rows }) => JSON.stringify(rows.length === 1 ? rows[0] : rows, undefined, 2),
};

/** The actions on calls of a list. */
export function useActions({ project, selection, rows, onHide, onShow, onDone }: ActionsOptions): Actions {
  const toast = useToast();
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ readonly bytes: number; readonly stop: () => void }>();
  const ids = rows.map(({ id }) => id);
  const give = useGivingToAll(project, ids, onDone);

  const copy = async (as: CopyForm) => {
    if (rows.length === 0) return;
    const isCopied = await copyText(FORMS[as]({ project, rows }));
    toast({ text: isCopied ? `${countOf(rows.length, 'call')} copied` : NOT_COPIED });
  };
  const exportAs = async (format: ExportFormat, isAll: boolean) => {
    const what = isAll ? selection : selectionOf(project, ids);
    if (what === undefined) return;
    const abort = new AbortController();
    const stop = () => abort.abort();
    setProgress({ bytes: 0, stop });
    onDone();
    try {
      await exportCalls(what, format, { signal: abort.signal, onBytes: (bytes) => setProgress({ bytes, stop }) });
      toast({ text: 'Exported' });
    } catch (error) {
      toast({ text: abort.signal.aborted ? 'Export stopped' : `Export failed: ${(error as Error).message}` });
    } finally {
      setProgress(undefined);
    }
  };
  const remove = () => {
    if (ids.length === 0) return;
    onHide(ids);
    onDone();
    const finish = async (isLeaving: boolean) => {
      try {
        await deleteCalls(project, ids, isLeaving);
        await client.invalidateQueries({ queryKey: ['stats'] });
      } catch (error) {
        onShow(ids);
        toast({ text: `Calls could not be deleted: ${(error as Error).message}` });
      }
    };
    toast({
      text: `${countOf(ids.length, 'call')} deleted`,
      action: { label: 'Undo', run: () => onShow(ids) },
      onGone: (isLeaving) => void finish(isLeaving),
    });
  };
  return {
    copy: (as) => void copy(as),
    exportAs: (format, isAll) => void exportAs(format, isAll),
    give,
    remove,
    progress: progress && (
      <>
        <span>
          Exporting, <span className="num">{formatBytes(progress.bytes)}</span>
        </span>
        <Button isSmall onClick={progress.stop}>
          Cancel
        </Button>
      </>
    ),
  };
}

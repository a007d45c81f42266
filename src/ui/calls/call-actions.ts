import type { QueryClient } from '@tanstack/react-query';
import type { ToastMessage } from '../controls/toast.tsx';
import type { CallRow, CallsSelection } from '../data/answers.ts';
import { DELETED_IDS, deleteCalls, dropRows } from '../data/call-rows.ts';
import { exportCalls, type ExportFormat } from '../data/export-calls.ts';
import { type GivenFeedback, giveFeedbackToAll, removeFeedback } from '../data/give-feedback.ts';
import { tellGone, tellTouched } from '../data/touched-calls.ts';
import { formatBytes } from '../format/bytes.ts';
import { countOf, formatCount } from '../format/count.ts';
import { copyText, NOT_COPIED } from '../json/copy-text.ts';
import { asCommands, asCurl, asLinks, asTypeScript, type CopyContext, selectionsOf } from './copy-as.ts';

/** Work on calls that takes its time. */
export interface Underway {
  readonly doing: string;
  /** How far it is. */
  readonly far: string;
  readonly stop: () => void;
}

/** The list that calls are in, and the page around it. */
export interface ActionPlace {
  readonly project: string;
  readonly rows: readonly CallRow[];
  /** All calls of the filter. */
  readonly selection: CallsSelection | undefined;
  readonly client: QueryClient;
  readonly toast: (message: ToastMessage) => void;
  /** `undefined`: it is over. */
  readonly tell: (work: Underway | undefined) => void;
  readonly onHide: (ids: readonly string[]) => void;
  readonly onShow: (ids: readonly string[]) => void;
  /** These are done with: they are selected no more, whatever was selected since. */
  readonly onDone: (ids: readonly string[]) => void;
}

export type CopyForm = 'link' | 'command' | 'curl' | 'typescript' | 'json';

const FORMS: Readonly<Record<CopyForm, (context: CopyContext) => string>> = {
  link: asLinks,
  command: asCommands,
  curl: asCurl,
  typescript: asTypeScript,
  json: ({ rows }) => JSON.stringify(rows.length === 1 ? rows[0] : rows, undefined, 2),
};

/** Puts the calls on the clipboard, in one of the forms. */
export async function copyCalls({ project, rows, toast }: ActionPlace, as: CopyForm): Promise<void> {
  const isCopied = await copyText(FORMS[as]({ project, rows }));
  toast({ text: isCopied ? `${countOf(rows.length, 'call')} copied` : NOT_COPIED });
}

/** Saves a file of the calls, or of all that the filter finds. */
export async function saveCalls(place: ActionPlace, format: ExportFormat, isAll: boolean): Promise<void> {
  const { project, selection, toast, tell, onDone } = place;
  const what = isAll ? [selection].flatMap((all) => all ?? []) : selectionsOf(project, idsOf(place));
  if (what.length === 0) return;
  const abort = new AbortController();
  const onBytes = (bytes: number): void =>
    tell({ doing: 'Exporting', far: formatBytes(bytes), stop: () => abort.abort() });
  onBytes(0);
  try {
    await exportCalls(what, format, { signal: abort.signal, onBytes });
    onDone(idsOf(place));
    toast({ text: 'Exported' });
  } catch (error) {
    toast({ text: abort.signal.aborted ? 'Export stopped' : `Export failed: ${(error as Error).message}` });
  } finally {
    tell(undefined);
  }
}

/** The page is drawn again for each. */
const STEPS_TOLD = 100;

/** Gives the same feedback to the calls, and says so; it can be taken back as long as that is shown. */
export async function giveToCalls(place: ActionPlace, given: GivenFeedback): Promise<void> {
  const { project, toast, tell, onDone } = place;
  const callIds = idsOf(place);
  const abort = new AbortController();
  const step = Math.ceil(callIds.length / STEPS_TOLD);
  const onGiven = (count: number): void => {
    if (count % step > 0) return;
    const far = `${formatCount(count)} of ${countOf(callIds.length, 'call')}`;
    tell({ doing: 'Giving feedback', far, stop: () => abort.abort() });
  };
  onGiven(0);
  const { ids, problem } = await giveFeedbackToAll(project, callIds, given, { signal: abort.signal, onGiven });
  tell(undefined);
  if (ids.length === callIds.length) onDone(callIds);
  toast({
    text: wordsOf(ids.length, callIds.length, problem),
    ...(ids.length > 0 && { action: { label: 'Undo', run: () => void takeBack(place, ids, callIds) } }),
  });
  if (ids.length > 0) await readAgain(place, callIds);
}

function wordsOf(given: number, wanted: number, problem: Error | undefined): string {
  if (given === wanted) return `Feedback given to ${countOf(wanted, 'call')}`;
  const words = `Feedback given to ${formatCount(given)} of ${countOf(wanted, 'call')}`;
  return problem === undefined ? `${words}, then stopped` : `${words}: ${problem.message}`;
}

async function takeBack(place: ActionPlace, ids: readonly string[], callIds: readonly string[]): Promise<void> {
  try {
    await removeFeedback(place.project, ids);
  } catch (error) {
    place.toast({ text: `Feedback could not be taken back: ${(error as Error).message}` });
  }
  // Of many, some may have been taken back before that.
  await readAgain(place, callIds);
}

async function readAgain({ client, project }: ActionPlace, callIds: readonly string[]): Promise<void> {
  tellTouched(project, callIds);
  await client.invalidateQueries({ queryKey: ['feedback', project] });
}

/** Takes the calls off the list, and deletes them when nobody can undo it any more. */
export function deleteFromList(place: ActionPlace): void {
  const { toast, onHide, onShow, onDone } = place;
  const ids = idsOf(place);
  onHide(ids);
  onDone(ids);
  toast({
    text: `${countOf(ids.length, 'call')} deleted`,
    action: { label: 'Undo', run: () => onShow(ids) },
    onGone: (isLeaving) => deleteForGood(place, ids, isLeaving),
  });
}

async function deleteForGood(place: ActionPlace, ids: readonly string[], isLeaving: boolean): Promise<void> {
  const { project, client, toast, tell, onShow } = place;
  const abort = new AbortController();
  let count = 0;
  const tellFar = (): void => {
    // What is one request is over before anybody could stop it.
    if (ids.length <= DELETED_IDS) return;
    const far = `${formatCount(count)} of ${countOf(ids.length, 'call')}`;
    tell({ doing: 'Deleting', far, stop: () => abort.abort() });
  };
  const onDeleted = (part: readonly string[]): void => {
    count += part.length;
    // They leave the lists themselves: a call that comes back by its id, as of an import, is to be seen.
    tellGone(project, part);
    dropRows(client, project, part);
    onShow(part);
    tellFar();
  };
  tellFar();
  const far = (): string => `${formatCount(count)} of ${countOf(ids.length, 'call')} deleted`;
  try {
    await deleteCalls(project, ids, { isLeaving, signal: abort.signal, onDeleted });
    if (abort.signal.aborted && count < ids.length) toast({ text: `${far()}, then stopped` });
  } catch (error) {
    const words = count === 0 ? 'Calls could not be deleted' : far();
    toast({ text: `${words}: ${(error as Error).message}` });
  } finally {
    tell(undefined);
    onShow(ids);
    if (count > 0) await client.invalidateQueries({ queryKey: ['stats'] });
  }
}

function idsOf({ rows }: ActionPlace): readonly string[] {
  return rows.map(({ id }) => id);
}

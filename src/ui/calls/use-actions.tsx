import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { lateLine } from '../controls/late-part.tsx';
import { type ToastMessage, useToast } from '../controls/toast.tsx';
import type { ExportFormat } from '../data/export-calls.ts';
import type { GivenFeedback } from '../data/give-feedback.ts';
import type * as CallActions from './call-actions.ts';
import type { ActionPlace, CopyForm } from './call-actions.ts';
import { holdKeys } from '../shell/held-keys.ts';
import { useWorks } from './works.tsx';

export type ActionsOptions = Pick<ActionPlace, 'project' | 'selection' | 'rows' | 'onDone'>;

export interface Actions {
  readonly exportAs: (format: ExportFormat, isAll: boolean) => void;
  readonly copy: (as: CopyForm) => void;
  readonly give: (given: GivenFeedback) => void;
  readonly remove: () => void;
}

const loadBar = async () => await import('./selection-bar.tsx');

export const SelectionBar = lateLine(async () => (await loadBar()).SelectionBar);

/** Below all pages. */
export const WorksFoot = lateLine(async () => (await import('./works-foot.tsx')).WorksFoot);

type Code = typeof CallActions;

const loadCode = async (): Promise<Code> => await import('./call-actions.ts');

/** The actions on calls of a list: on those that are selected, or the one with the focus. */
export function useActions(options: ActionsOptions): Actions {
  const toast = useToast();
  const client = useQueryClient();
  const works = useWorks();
  const { project } = options;
  const isMeant = options.rows.length > 0;
  useEffect(() => {
    if (!isMeant) return;
    // Browsers hand out the clipboard right after a key only: the code is there by then. Whoever uses it is told if it is not.
    loadCode().catch(() => undefined);
    SelectionBar.load();
    WorksFoot.load();
  }, [isMeant]);
  const act = (run: (code: Code, place: ActionPlace) => unknown): void => {
    if (!isMeant) return;
    loadCode().then(
      (code) =>
        run(code, {
          ...options,
          // What is told after it is told to a list in which nothing is selected any more.
          onDone: (ids) => flushSync(() => options.onDone(ids)),
          client,
          toast,
          tell: works.begin(project),
          onHide: (ids) => works.hide(project, ids),
          onShow: (ids) => works.show(project, ids),
        }),
      (error: Error) => toast(notLoaded(error)),
    );
  };
  return {
    copy: (as) => act((code, place) => code.copyCalls(place, as)),
    exportAs: (format, isAll) => act((code, place) => code.saveCalls(place, format, isAll)),
    give: (given) =>
      act(async (code, place) => {
        // The calls stay selected until all have it: a second one would be for the same.
        if (!(await works.give(project, () => code.giveToCalls(place, given))))
          toast({ text: 'Feedback is being given: wait until all calls have it, or cancel it' });
      }),
    remove: () => act((code, place) => code.deleteFromList(place)),
  };
}

/** Some browsers keep for ever that code could not be loaded, and of another version of the page there is none: all of it is loaded again. */
function notLoaded({ message }: Error): ToastMessage {
  const action = { label: 'Reload', run: () => location.reload() };
  return { text: `This part of the page could not be loaded: ${message}`, action };
}

/** In so many frames a bar that is on its way is there; where nothing is selected none comes. */
const MOST_FRAMES = 30;

/** Presses a button of the bar; right after a row was chosen the bar may be on its way, and keys are held until it is there. */
export function pressInBar(id: string): void {
  let isWanted = true;
  let release = (): void => undefined;
  const press = (frames: number): void => {
    const button = document.getElementById(id);
    if (isWanted && button === null && frames > 0) {
      requestAnimationFrame(() => press(frames - 1));
      return;
    }
    // The menu that it opens has the focus before the next key.
    if (isWanted) button?.click();
    release();
  };
  if (document.getElementById(id) !== null) return press(0);
  release = holdKeys(() => {
    isWanted = false;
    release();
  });
  // That it cannot be loaded stands where the bar would be.
  loadBar().then(() => press(MOST_FRAMES), release);
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { latePart } from '../controls/late-part.tsx';
import { useToast } from '../controls/toast.tsx';
import type { ExportFormat } from '../data/export-calls.ts';
import type { GivenFeedback } from '../data/give-feedback.ts';
import type * as CallActions from './call-actions.ts';
import type { ActionPlace, CopyForm, Underway } from './call-actions.ts';

export type ActionsOptions = Pick<ActionPlace, 'project' | 'selection' | 'rows' | 'onHide' | 'onShow' | 'onDone'>;

export interface Actions {
  readonly exportAs: (format: ExportFormat, isAll: boolean) => void;
  readonly copy: (as: CopyForm) => void;
  readonly give: (given: GivenFeedback) => void;
  readonly remove: () => void;
  /** The works that are under way, the first of them first. */
  readonly works: readonly Underway[];
}

const loadBar = async () => await import('./selection-bar.tsx');

export const SelectionBar = latePart(async () => (await loadBar()).SelectionBar);
export const WorkLine = latePart(async () => (await import('./work-line.tsx')).WorkLine);

type Code = typeof CallActions;

const loadCode = async (): Promise<Code> => await import('./call-actions.ts');

/** The actions on calls of a list: on those that are selected, or the one with the focus. */
export function useActions(options: ActionsOptions): Actions {
  const toast = useToast();
  const client = useQueryClient();
  const [works, setWorks] = useState<ReadonlyMap<object, Underway>>(new Map());
  const giving = useRef(false);
  const isMeant = options.rows.length > 0;
  useEffect(() => {
    if (!isMeant) return;
    // Browsers hand out the clipboard right after a key only: the code is there by then. Whoever uses it is told if it is not.
    loadCode().catch(() => undefined);
    SelectionBar.load();
  }, [isMeant]);
  const act = (run: (code: Code, place: ActionPlace) => unknown): void => {
    if (!isMeant) return;
    loadCode().then(
      (code) => {
        const key = {};
        const tell = (work: Underway | undefined): void => setWorks((before) => withWork(before, key, work));
        return run(code, { ...options, client, toast, tell });
      },
      (error: unknown) => toast({ text: `This part of the page could not be loaded: ${(error as Error).message}` }),
    );
  };
  return {
    copy: (as) => act((code, place) => code.copyCalls(place, as)),
    exportAs: (format, isAll) => act((code, place) => code.saveCalls(place, format, isAll)),
    give: (given) =>
      act(async (code, place) => {
        // The calls stay selected until all have it: a second one would be for the same.
        if (giving.current)
          return toast({ text: 'Feedback is being given: wait until all calls have it, or cancel it' });
        giving.current = true;
        try {
          await code.giveToCalls(place, given);
        } finally {
          giving.current = false;
        }
      }),
    remove: () => act((code, place) => code.deleteFromList(place)),
    works: [...works.values()],
  };
}

function withWork(works: ReadonlyMap<object, Underway>, key: object, work: Underway | undefined) {
  const after = new Map(works);
  if (work === undefined) after.delete(key);
  else after.set(key, work);
  return after;
}

/** Presses a button of the bar; right after a row was chosen the bar may be on its way, and comes in the next frame. */
export function pressInBar(id: string): void {
  const press = (): void => document.getElementById(id)?.click();
  if (document.getElementById(id) !== null) return press();
  // That it cannot be loaded stands where the bar would be.
  loadBar().then(
    () => requestAnimationFrame(press),
    () => undefined,
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
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
  /** The work that is under way. */
  readonly work: Underway | undefined;
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
  const [work, tell] = useState<Underway>();
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
      (code) => run(code, { ...options, client, toast, tell }),
      (error: unknown) => toast({ text: `This part of the page could not be loaded: ${(error as Error).message}` }),
    );
  };
  return {
    copy: (as) => act((code, place) => code.copyCalls(place, as)),
    exportAs: (format, isAll) => act((code, place) => code.saveCalls(place, format, isAll)),
    give: (given) => act((code, place) => code.giveToCalls(place, given)),
    remove: () => act((code, place) => code.deleteFromList(place)),
    work,
  };
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

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isFocusLost } from '../../controls/lost-focus.ts';
import { isTypedIn } from '../../shell/keys.ts';

export interface FocusTaking {
  /** Set while the focus is to be taken, as soon as there is an answer. */
  readonly takesFocus: RefObject<boolean>;
  /** Names what was asked for. */
  readonly asked: string;
  /** The answer is there, or could not be read. */
  readonly isAnswered: boolean;
  readonly hasFailed: boolean;
}

/**
 * Gives the focus to the first trait of an answer that somebody waits for, unless the focus has gone elsewhere meanwhile: keys
 * of who writes, or has gone on in the list, stay there.
 *
 * @returns the traits, and what to call before they are asked for once more
 */
export function useTakenFocus({ takesFocus, asked, isAnswered, hasFailed }: FocusTaking) {
  const traits = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    if (takesFocus.current) opener.current = document.activeElement;
  }, [takesFocus, asked]);
  useEffect(() => {
    if (!takesFocus.current || (!isAnswered && !hasFailed)) return;
    takesFocus.current = false;
    const panel = traits.current?.parentElement;
    const title = panel?.querySelector('h2');
    // The trait that was clicked is there no more.
    if (hasFailed) return isFocusLost() ? title?.focus() : undefined;
    if (!isFocusLost() && panel?.contains(document.activeElement) !== true && !isFrom(opener.current)) return;
    (traits.current?.querySelector<HTMLElement>('li button:not(:disabled)') ?? title)?.focus();
  }, [takesFocus, asked, isAnswered, hasFailed]);
  return {
    traits,
    askAgain: () => {
      takesFocus.current = true;
      opener.current = document.activeElement;
    },
  };
}

/** The focus is where it was, or where something that went, such as the list of commands, has given it back to. */
function isFrom(opener: Element | null): boolean {
  const { activeElement } = document;
  return !isTypedIn(activeElement) && (activeElement === opener || opener?.isConnected === false);
}

import { useEffect } from 'react';

/** Keys that type nothing and that a list or a page would answer to. */
const MEANT = /^(?:Arrow\w+|Page\w+|Home|End|Enter|Escape|Backspace)$/;

/** Who types more than this before a part is there has not seen that it is not. */
const MOST_CHARACTERS = 1000;

/**
 * Keeps keys from the page that is there now, while the part that they are meant for is on its way.
 *
 * @param onEscape the part is not wanted any more
 * @returns ends it: what was typed is typed into the field of a dialog that has taken the focus, if one has
 */
export function holdKeys(onEscape: () => void): () => void {
  let typed: readonly string[] = [];
  const hold = (event: KeyboardEvent): void => {
    const { key, isComposing } = event;
    // What stands for a sign may need Alt, on other keyboards Ctrl with it. The rest stays with the browser.
    const isSign = [...key].length === 1 && (event.altKey || !(event.ctrlKey || event.metaKey));
    if (isComposing || !(isSign || (MEANT.test(key) && !(event.ctrlKey || event.metaKey || event.altKey)))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // The key that opens the part may still be held down.
    if (isSign && !event.repeat) typed = [...typed, key].slice(0, MOST_CHARACTERS);
    else if (key === 'Backspace') typed = typed.slice(0, -1);
    else if (key === 'Escape') {
      typed = [];
      onEscape();
    }
  };
  // Before all others that look at keys. Whoever points elsewhere goes on there.
  addEventListener('keydown', hold, true);
  addEventListener('pointerdown', end, true);
  function end(): void {
    removeEventListener('keydown', hold, true);
    removeEventListener('pointerdown', end, true);
    typed = [];
  }
  return () => {
    const text = typed.join('');
    end();
    typeInto(document.activeElement, text);
  };
}

/** Stands for a part that is on its way because a key was pressed, and holds those that follow. */
export function HeldKeys({ onClose }: { readonly onClose: () => void }): null {
  // A layout effect would end before the part that is there by now has taken the focus.
  useEffect(() => holdKeys(onClose), [onClose]);
  return null;
}

function typeInto(field: Element | null, text: string): void {
  if (text === '' || !(field instanceof HTMLInputElement) || field.closest('dialog[open]') === null) return;
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

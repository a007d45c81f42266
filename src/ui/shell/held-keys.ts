import { useEffect } from 'react';

/**
 * Keeps keys from the page that is there now, while the part that they are meant for is on its way.
 *
 * @param onEscape the part is not wanted any more
 * @returns ends it: what was typed is typed into the field that has taken the focus, if one has
 */
export function holdKeys(onEscape: () => void): () => void {
  const before = document.activeElement;
  let typed = '';
  const hold = (event: KeyboardEvent): void => {
    const { key } = event;
    // Those of the browser stay its own, and so does Tab, which leaves for elsewhere.
    if (event.ctrlKey || event.metaKey || event.altKey || /^(?:Tab|F\d+)$/.test(key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (key === 'Backspace') typed = typed.slice(0, -1);
    else if (key.length === 1) typed += key;
    else if (key === 'Escape') {
      typed = '';
      onEscape();
    }
  };
  // Before all others that look at keys.
  addEventListener('keydown', hold, true);
  return () => {
    removeEventListener('keydown', hold, true);
    if (document.activeElement !== before) typeInto(document.activeElement, typed);
    typed = '';
  };
}

/** Stands for a part that is on its way because a key was pressed, and holds those that follow. */
export function HeldKeys({ onClose }: { readonly onClose: () => void }): null {
  // A layout effect would end before the part that is there by now has taken the focus.
  useEffect(() => holdKeys(onClose), [onClose]);
  return null;
}

function typeInto(field: Element | null, text: string): void {
  if (text === '' || !(field instanceof HTMLInputElement)) return;
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

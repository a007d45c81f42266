/** What had the focus is gone: it is at nothing. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

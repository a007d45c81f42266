/** The focus is at nothing: the element that had it is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Puts a text on the clipboard; false where the browser does not let a page do that. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The message then: browsers hand out the clipboard to pages of this machine or of https only. */
export const NOT_COPIED = 'Could not be copied: the browser does not let this page use the clipboard';

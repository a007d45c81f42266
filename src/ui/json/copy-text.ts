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

/** Hands a text or bytes to the user as a file. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Browsers that ask where to put the file read it only then.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}

const REVOKE_AFTER_MS = 60_000;

/** Milliseconds for which the content is kept: browsers that ask where to put the file read it only then. */
const KEPT_MS = 60_000;

/** Hands a file to the browser, which saves it. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

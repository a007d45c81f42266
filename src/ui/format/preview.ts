/** Under these names programs keep what was said to them. */
const SAID = ['message', 'question', 'query', 'prompt', 'text', 'input', 'content'];

/** Inputs in a line: of an object the text that was said, else its JSON. The preview may be cut. */
export function previewText(preview: string): string {
  if (!preview.startsWith('{')) return preview;
  for (const name of SAID) {
    const quoted = new RegExp(`[{,]"${name}":"((?:[^"\\\\]|\\\\.)+)`).exec(preview)?.[1];
    if (quoted !== undefined) return unquoted(quoted);
  }
  return preview;
}

function unquoted(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Cut within an escape, or with line ends in it: it can still be read.
    return text;
  }
}

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

/** The arguments of a tool in a few words: `order 48102, country DE`. Those with parts of their own, or cut, stay JSON. */
export function givenText(preview: string): string {
  if (!preview.startsWith('{')) return preview;
  const given = parsed(preview);
  // Numbers of many digits, and the order of members, are shown as they were given.
  if (given === undefined || JSON.stringify(given) !== withoutBlanks(preview)) return preview;
  const pairs = Object.entries(given);
  if (pairs.length === 0 || pairs.some(([, value]) => value !== null && typeof value === 'object')) return preview;
  return pairs.map(([name, value]) => `${name} ${String(value)}`).join(', ');
}

function parsed(preview: string): object | undefined {
  try {
    return JSON.parse(preview) as object;
  } catch {
    // It is cut.
    return undefined;
  }
}

/** JSON without the blanks between its tokens. */
function withoutBlanks(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

function unquoted(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Cut within an escape, or with line ends in it: it can still be read.
    return text;
  }
}

/** The text with a replacement for each half of a pair of surrogates that stands alone, also where texts cannot tell so themselves. */
export function wellFormedText(text: string): string {
  // Node 18, where nothing is recorded but programs go on, has no such method.
  const given: { toWellFormed?(): string } = text;
  return given.toWellFormed === undefined ? recoded(text) : text.toWellFormed();
}

/** UTF-8 has no such halves. */
function recoded(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

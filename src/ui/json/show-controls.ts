/**
 * Characters that change how others are shown, or that nobody sees: bidirectional marks, zero widths, controls. In the
 * content of a trace they would make a text look like another one, so they are shown by their number.
 */
const HIDDEN = /(?!\u200c|\u200d|[\t\n\r\u0600-\u0605\u06dd\u070f\u08e2])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The text with what is hidden in it written out, as in `⟨U+202E⟩`. */
export function showControls(text: string): string {
  return text.replace(
    HIDDEN,
    (hidden) => `⟨U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/**
 * Twice the characters that the literals of a query may have, and with what an entry counts, all of its lists: where a
 * part of them did not fit, each would be read anew for every record.
 */
const MAX_CHARACTERS = 4_000_000;

/** Characters that an entry counts beside its text. */
const ENTRY_CHARACTERS = 256;

/**
 * A reading of texts that keeps its last results: a query repeats its constants, and may have many of them, record after
 * record. The newest one is kept however long it is.
 */
export function keepByText<Value>(
  read: (text: string) => Value,
  maxCharacters = MAX_CHARACTERS,
): (text: string) => Value {
  const kept = new Map<string, Value>();
  let characters = 0;
  let last: string | undefined;
  const drop = (text: string) => {
    kept.delete(text);
    characters -= text.length + ENTRY_CHARACTERS;
  };
  // Looking for the first of a map takes it past all that were deleted before: not for each text.
  const dropOldest = (newest: string) => {
    for (const oldest of kept.keys()) {
      if (characters <= maxCharacters || oldest === newest) break;
      drop(oldest);
    }
  };
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined && text === last) return known;
    const value = known ?? read(text);
    if (known !== undefined) drop(text);
    characters += text.length + ENTRY_CHARACTERS;
    // Behind all others: those that were not asked for the longest come first.
    kept.set(text, value);
    last = text;
    if (characters > maxCharacters) dropOldest(text);
    return value;
  };
}

/** Texts remembered at a time, and the longest: names are few and short, and come with every record. */
const MAX_TEXTS = 1000;
const MAX_LENGTH = 500;

/** A check of texts that remembers which have passed; only for checks whose answer depends on nothing else. */
export function rememberPassed(check: (text: string) => boolean): (text: string) => boolean {
  const passed = new Set<string>();
  return (text) => {
    if (passed.has(text)) return true;
    if (!check(text)) return false;
    if (passed.size >= MAX_TEXTS) passed.clear();
    if (text.length <= MAX_LENGTH) passed.add(text);
    return true;
  };
}

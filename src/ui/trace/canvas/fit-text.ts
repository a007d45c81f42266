/** Longer names are cut before they are measured. */
const LONGEST = 200;
const ELLIPSIS = '…';

/** The text, or as much of it as has room before an ellipsis; nothing where not even one letter has. */
export function fitText(text: string, room: number, widthOf: (text: string) => number): string {
  if (text.length <= LONGEST && widthOf(text) <= room) return text;
  const letters = Array.from(text.slice(0, LONGEST));
  let [fits, tooMany] = [0, letters.length + 1];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (widthOf(cut(letters, middle)) <= room) fits = middle;
    else tooMany = middle;
  }
  return fits === 0 ? '' : cut(letters, fits);
}

function cut(letters: readonly string[], count: number): string {
  return letters.slice(0, count).join('').trimEnd() + ELLIPSIS;
}

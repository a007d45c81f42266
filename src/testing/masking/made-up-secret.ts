/** A made-up secret, as it stands in texts and, where a key tells what it is, as a member of an object. */
export interface Secret {
  readonly name: string;
  readonly text: string;
  readonly key: string;
  readonly value: string;
  /** Parts that must never leave the process. */
  readonly hidden: readonly string[];
}

const ALPHABETS: Record<string, string> = {
  w: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  h: '0123456789abcdef',
  H: '0123456789ABCDEF',
  d: '0123456789',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  U: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
};

/**
 * Fills a pattern: `{w20}` is a hidden part of 20 letters and digits, `<d9>` a part that may be seen, `{u}` a hidden
 * UUID, `{P}` a password as people choose them. Every run makes the same, and no file holds one.
 */
export function fill(name: string, pattern: string): { text: string; hidden: string[] } {
  const random = seeded(name + pattern);
  const hidden: string[] = [];
  const text = pattern.replace(/\{([A-Za-z])(\d*)\}|<([A-Za-z])(\d+)>/g, (_match, kind, length, seen, seenLength) => {
    const part = seen === undefined ? partOf(random, kind, Number(length)) : partOf(random, seen, Number(seenLength));
    if (seen === undefined) hidden.push(part);
    return part;
  });
  return { text, hidden };
}

function partOf(random: () => number, kind: string, length: number): string {
  if (kind === 'u') return [8, 4, 4, 4, 12].map((size) => partOf(random, 'h', size)).join('-');
  if (kind === 'P') return `${partOf(random, 'U', 4)}${partOf(random, 'd', 3)}.${partOf(random, 'h', 5)}`;
  const alphabet = ALPHABETS[kind] ?? '';
  const letter = () => alphabet[Math.floor(random() * alphabet.length)] ?? '';
  // Two letters and digits first, as nearly every real one has them somewhere.
  const head = kind === 'w' || kind === 'l' ? 'q7Z3'.slice(0, length) : '';
  return (kind === 'l' ? head.toLowerCase() : head) + Array.from({ length: length - head.length }, letter).join('');
}

/** mulberry32 over a hash of the name. */
function seeded(name: string): () => number {
  let state = 0;
  for (const letter of name) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Masks a piece of this many characters at a time, so that no turn of the event loop takes long. */
const PIECE = 64 * 1024;

/** A text may be cut where this much on both sides, masked together or apart, gives the same. */
const SEAM = 4096;

/** How far beyond a full piece a place to cut is looked for; without one the rest is masked as a whole. */
const MAX_SEAM_DISTANCE = 128 * 1024;

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----/g;
const PRIVATE_KEY_END = '-----END ';

/**
 * A long text masked from beginning to end, piece by piece, in time linear in its length. Pieces end where no secret
 * is cut: keys and tokens have no white space, members of JSON no line break, and a private key its own end.
 */
export function* maskInPieces(text: string, mask: (text: string) => string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start, mask);
    yield mask(text.slice(start, end));
    start = end;
  }
}

function pieceEnd(text: string, start: number, mask: (text: string) => string): number {
  const end = findSeam(text, start + PIECE, mask);
  const openKey = openKeyIn(text.slice(start, end));
  if (openKey === undefined) return end;
  const keyEnd = text.indexOf(PRIVATE_KEY_END, start + openKey);
  return keyEnd === -1 ? text.length : findSeam(text, Math.max(end, keyEnd + SEAM), mask);
}

/** Where a private key begins that does not end in this piece. */
function openKeyIn(piece: string): number | undefined {
  let last: number | undefined;
  for (const { index } of piece.matchAll(PRIVATE_KEY)) last = index;
  return last === undefined || piece.includes(PRIVATE_KEY_END, last) ? undefined : last;
}

function findSeam(text: string, from: number, mask: (text: string) => string): number {
  for (let at = from; at < Math.min(text.length, from + MAX_SEAM_DISTANCE); at += SEAM) {
    const seam = at + candidateIn(text.slice(at, at + SEAM));
    if (isSeam(text, seam, mask)) return seam;
  }
  return text.length;
}

/** Behind a line break, else behind white space, else anywhere but within a pair of surrogates. */
function candidateIn(window: string): number {
  const lineBreak = window.indexOf('\n');
  if (lineBreak !== -1) return lineBreak + 1;
  const space = window.search(/\s/);
  if (space !== -1) return space + 1;
  const isLowHalf = (window.charCodeAt(0) & 0xfc00) === 0xdc00;
  return isLowHalf ? 1 : 0;
}

function isSeam(text: string, at: number, mask: (text: string) => string): boolean {
  const before = text.slice(at - SEAM, at);
  const behind = text.slice(at, at + SEAM);
  return mask(before + behind) === mask(before) + mask(behind);
}

import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { parseHeader, runIn, type SegmentTarget } from './segment-format.ts';

/** A first line has an address and a run, which hardly ever take so much. */
const USUAL_BYTES = 4096;
/** More is no first line of ours. */
const MOST_BYTES = 64 * 1024;

/** The first line of a segment. */
export interface SegmentHead {
  /** `undefined` when it is not begun, or of a format we do not know. */
  readonly target: SegmentTarget | undefined;
  /** The run of its calls, as `formatRun` writes it; `undefined` where none was noted. */
  readonly run: string | undefined;
  /** Has it a whole line, or more than a first one can have? Else its program was killed while it began. */
  readonly isBegun: boolean;
}

/** Reads no more than it needs to. Throws what the system says. */
export function readHead(path: string): SegmentHead {
  const file = openSync(path, 'r');
  try {
    const usual = firstLine(file, USUAL_BYTES);
    const { line, isBegun } = usual.isBegun && usual.line === undefined ? firstLine(file, MOST_BYTES) : usual;
    if (line === undefined) return { target: undefined, run: undefined, isBegun };
    return { target: parseHeader(line), run: runIn(line), isBegun };
  } finally {
    closeSync(file);
  }
}

/** Among the first bytes; no `line` where its end is not among them, or it is no text. */
function firstLine(file: number, most: number): { readonly line: string | undefined; readonly isBegun: boolean } {
  const bytes = Buffer.alloc(most);
  const length = readSync(file, bytes, 0, most, 0);
  const end = bytes.subarray(0, length).indexOf('\n');
  const line = bytes.subarray(0, Math.max(end, 0));
  return {
    line: end !== -1 && isUtf8(line) ? line.toString('utf8') : undefined,
    isBegun: end !== -1 || length === most,
  };
}

import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

export interface FileLine {
  readonly text: string;
  /** Byte of the file behind the line and its end. */
  readonly end: number;
}

const NEWLINE = 0x0a;
const READ_BYTES = 1024 * 1024;

/** The lines of a file from a byte on; a last one without an end is none. */
export async function* readFileLines(path: string, start = 0): AsyncGenerator<FileLine> {
  let rest: Buffer[] = [];
  let position = start;
  for await (const chunk of createReadStream(path, { start, highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const pieces = [...rest, chunk.subarray(from, at)];
      rest = [];
      position += pieces.reduce((sum, piece) => sum + piece.length, 1);
      yield { text: textOf(pieces), end: position };
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}

function textOf(pieces: readonly Buffer[]): string {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only.toString();
  // A character may stand at the end of one piece and the beginning of the next.
  const decoder = new StringDecoder('utf8');
  return pieces.map((piece) => decoder.write(piece)).join('');
}

import { textOf } from '../../../storage/packed/shared-text.ts';
import { TextPieces } from '../../http/text-pieces.ts';
import type { AnsweredBody } from './body-messages.ts';

/** The text to send of an answer that another thread made. */
export function answerText({ bytes, rowDigests }: AnsweredBody): Uint8Array | TextPieces {
  if (!rowDigests) return bytes;
  return new TextPieces(function* () {
    yield new TextDecoder().decode(bytes);
    for (const [index, digests] of rowDigests.entries()) {
      yield `${index === 0 ? '' : ','}"${textOf(digests).replaceAll(' ', '","')}"`;
    }
    yield ']}';
  });
}

/** The beginning of an answer with a new table. */
export function beginTable(digest: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`{"digest":"${digest}","row_digests":[`);
}

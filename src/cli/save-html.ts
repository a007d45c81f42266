import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Reader } from '../reader/reader.ts';

/**
 * Saves a trace as one HTML file and returns its path. A file of that name is replaced when the new one is whole.
 *
 * @param file a path; true: a name made of the id, in the current folder
 */
export async function saveHtml(reader: Reader, traceId: string, file: string | true): Promise<string> {
  const path = resolve(file === true ? `trace-${traceId.replaceAll(/[^\w-]+/g, '_').slice(0, 100)}.html` : file);
  const { body } = await reader.page.html(traceId);
  if (body === null) throw new Error('The service has sent no file');
  const draft = `${path}.part`;
  try {
    await pipeline(piecesOf(body), createWriteStream(draft));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return path;
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel();
  }
}

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { CallsSelection } from '../../protocol/page/calls-selection.ts';
import type { Reader } from '../../reader/reader.ts';

export interface WriteCallsOptions {
  readonly file: string;
  readonly selection: CallsSelection;
  /** Calls that are written. */
  readonly onProgress: (calls: number) => void;
}

const NEWLINE = 0x0a;

/**
 * Writes the calls of a selection to a file, each as a line, and resolves with how many. The file is there when it is whole: a
 * selection changes while it is read, so there is nothing to go on from.
 */
export async function writeCalls(reader: Reader, options: WriteCallsOptions): Promise<number> {
  const { file, selection, onProgress } = options;
  // A part of an archive of that name is not ours.
  const draft = `${file}.${process.pid}.part`;
  const answer = await reader.page.export({ ...selection, format: 'jsonl', whole: true });
  let calls = 0;
  const counted = async function* () {
    for await (const chunk of chunksOf(answer)) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) calls += 1;
      onProgress(calls);
      yield chunk;
    }
  };
  try {
    // Only who exports may read all that calls recorded.
    await pipeline(counted, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rename(draft, file);
  return calls;
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let step = await reader?.read(); step?.value !== undefined; step = await reader?.read()) yield step.value;
  } finally {
    // Who cannot write leaves the answer unread, and the service would wait for him.
    await reader?.cancel();
  }
}

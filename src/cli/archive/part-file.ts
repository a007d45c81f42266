import { type FileHandle, open, rename, stat, truncate } from 'node:fs/promises';
import { type ArchiveLine, parseLine } from './archive-line.ts';
import { readFileLines } from './read-lines.ts';

/** So much is written at once, in characters. */
const WRITE_CHARACTERS = 1024 * 1024;

/** Gets a line and its text, with its end. */
type OnLine = (line: ArchiveLine, text: string) => void;

/** An archive that is being written: a file beside the one it becomes, which is kept when writing breaks off. */
export class PartFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #waiting: string[] = [];
  #characters = 0;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Opens the part of an archive, with `onLine` for each line that it has; an end, and what is no whole line, is cut off. */
  static async open(path: string, onLine: OnLine): Promise<PartFile> {
    const part = partOf(path);
    const end = await readPart(part, onLine);
    if (end !== undefined) await truncate(part, end);
    // Only who exports may read all that calls recorded.
    return new PartFile(path, await open(part, 'a', 0o600));
  }

  /** Takes the text of a line with its end; where it answers a promise that has to be awaited, memory stays bounded. */
  add(text: string): Promise<void> | undefined {
    this.#waiting.push(text);
    this.#characters += text.length;
    return this.#characters < WRITE_CHARACTERS ? undefined : this.#write();
  }

  /** Puts the file in its place. */
  async finish(): Promise<void> {
    await this.#write();
    await this.#handle.sync();
    await this.#handle.close();
    await rename(partOf(this.#path), this.#path);
  }

  /** Keeps what was taken, for the next attempt. */
  async breakOff(): Promise<void> {
    await this.#write();
    await this.#handle.close();
  }

  async #write(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#characters = 0;
    if (text !== '') await this.#handle.appendFile(text);
  }
}

export function partOf(path: string): string {
  return `${path}.part`;
}

/** The byte behind the last line that is whole and not the end; `undefined` where there is no file. */
async function readPart(path: string, onLine: OnLine): Promise<number | undefined> {
  if (!(await isThere(path))) return undefined;
  let end = 0;
  for await (const { text, end: behind } of readFileLines(path)) {
    const line = parseLine(text);
    // An end that was written before the file got its name: what there is since belongs before it.
    if (line === undefined || line.kind === 'end') break;
    onLine(line, `${text}\n`);
    end = behind;
  }
  return end;
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

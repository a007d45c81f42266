import { parseJson } from '../../protocol/values/json.ts';
import type { Reader } from '../../reader/reader.ts';
import { type ArchiveKind, type ArchiveLine, parseLine } from './archive-line.ts';
import { FeedbackGroup } from './feedback-group.ts';
import { exactReader, type ServiceAddress } from './archive-reader.ts';
import { CallGroup } from './call-group.ts';
import { type ImportPlace, KeptPlace } from './import-place.ts';
import { readFileLines } from './read-lines.ts';
import { ArchiveVerdict, checkArchive } from './check-archive.ts';
import { StoredLines } from './stored-lines.ts';
import { type Rows, storeRows } from './store-rows.ts';

export interface ImportOptions {
  readonly file: string;
  /** The state folder. */
  readonly home: string;
  /** Bytes of the file that are done, and calls that were sent. */
  readonly onProgress: (bytes: number, calls: number) => void;
  /** Bytes of the file that were compared with the service at the end. */
  readonly onCheck: (bytes: number) => void;
}

export interface ImportResult {
  readonly lines: number;
  readonly calls: number;
  /** Where an attempt before had broken off. */
  readonly resumedAt: number;
  /** Lines that the service has as they are in the archive: all of them. */
  readonly compared: number;
}

/**
 * Sends all that an archive has to a service, from where an attempt before broke off; what is there already stays. Then compares
 * what the service has with the archive, and rejects where they differ.
 */
export async function importArchive(service: ServiceAddress, options: ImportOptions): Promise<ImportResult> {
  const kept = new KeptPlace(options.home, await archiveId(options.file), service.url);
  const importing = new Importing(exactReader(service), kept, options);
  await importing.run();
  const { file, onCheck } = options;
  try {
    const compared = await checkArchive(service, { file, onProgress: onCheck });
    kept.remove();
    return { ...importing.result, compared };
  } catch (error) {
    // Whoever mends what differs sends all of it again.
    if (error instanceof ArchiveVerdict) kept.remove();
    throw error;
  }
}

async function archiveId(file: string): Promise<string> {
  for await (const { text } of readFileLines(file)) {
    const line = parseLine(text);
    if (line?.kind !== 'header') break;
    const { format, id } = JSON.parse(line.value) as { readonly format?: unknown; readonly id?: unknown };
    if (format !== 1) throw new Error(`"${file}" was written by a newer version: it has format ${String(format)}`);
    return String(id);
  }
  throw new Error(`"${file}" is no archive: "spoor export" writes them`);
}

class Importing {
  readonly #reader: Reader;
  readonly #stored: StoredLines;
  readonly #kept: KeptPlace;
  readonly #options: ImportOptions;
  readonly #resumedAt: number;
  #place: ImportPlace;
  readonly #calls = new CallGroup();
  /** Byte behind the line of the last of them. */
  #callsEnd = 0;
  readonly #feedback = new FeedbackGroup();
  /** Byte behind the last line of it. */
  #feedbackEnd = 0;
  #counts = { lines: 0, calls: 0 };

  constructor(reader: Reader, kept: KeptPlace, options: ImportOptions) {
    this.#reader = reader;
    this.#stored = new StoredLines(reader);
    this.#kept = kept;
    this.#options = options;
    this.#place = kept.read();
    this.#resumedAt = this.#place.offset;
  }

  get result(): Omit<ImportResult, 'compared'> {
    return { ...this.#counts, resumedAt: this.#resumedAt };
  }

  async run(): Promise<void> {
    let last: ArchiveKind | undefined;
    for await (const { text, end } of readFileLines(this.#options.file, this.#place.offset)) {
      const line = parseLine(text);
      if (line === undefined)
        throw new Error(`"${this.#options.file}" is no archive, or is damaged before byte ${end}`);
      last = line.kind;
      await this.#take(line, end);
    }
    await this.#flush();
    await this.#flushFeedback();
    if (last !== 'end') throw new Error(`"${this.#options.file}" has no end: the export that wrote it was broken off`);
  }

  async #take(line: ArchiveLine, end: number): Promise<void> {
    this.#counts.lines += 1;
    // A place that is kept is behind all that was sent, of whatever kind.
    if (line.kind !== 'call') await this.#flush();
    if (!this.#feedback.takes(line)) await this.#flushFeedback();
    if (line.kind === 'call') return await this.#takeCall(line, end);
    if (line.kind === 'feedback') return this.#takeFeedback(line, end);
    const table = await this.#store(line);
    // The last line is read again by an attempt after this one, so that it knows of the end.
    if (line.kind !== 'end') this.#keep({ offset: end, ...(table && { table }) });
  }

  #takeFeedback(line: ArchiveLine, end: number): void {
    this.#feedback.add(line);
    this.#feedbackEnd = end;
  }

  async #flushFeedback(): Promise<void> {
    const lines = this.#feedback.empty();
    if (lines.length === 0) return;
    await this.#stored.storeFeedback(lines);
    this.#keep({ offset: this.#feedbackEnd });
  }

  async #takeCall({ value }: ArchiveLine, end: number): Promise<void> {
    this.#calls.add(value);
    this.#callsEnd = end;
    if (this.#calls.isFull) await this.#flush();
  }

  async #flush(): Promise<void> {
    const { count } = this.#calls;
    if (count === 0) return;
    await this.#calls.send(this.#reader);
    this.#counts.calls += count;
    this.#keep({ offset: this.#callsEnd });
  }

  async #store(line: ArchiveLine): Promise<ImportPlace['table']> {
    if (line.kind !== 'rows') {
      await this.#stored.store(line);
      return undefined;
    }
    const rows = parseJson(line.value) as unknown as Rows;
    return await storeRows(this.#reader, line.project, rows, this.#place.table);
  }

  #keep(place: ImportPlace): void {
    this.#place = place;
    this.#kept.write(place);
    this.#options.onProgress(place.offset, this.#counts.calls);
  }
}

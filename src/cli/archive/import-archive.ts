import type { Call } from '../../protocol/call.ts';
import type { FeedbackCreateRequest } from '../../protocol/feedback.ts';
import type { ObjectVersion } from '../../protocol/object.ts';
import { parseJson } from '../../protocol/values/json.ts';
import { field, type NewBatchItem, type Reader } from '../../reader/reader.ts';
import { type ArchiveKind, type ArchiveLine, parseLine } from './archive-line.ts';
import { exactReader, type ServiceAddress } from './archive-reader.ts';
import { type ImportPlace, KeptPlace } from './import-place.ts';
import { readFileLines } from './read-lines.ts';
import { storeRows } from './store-rows.ts';

export interface ImportOptions {
  readonly file: string;
  /** The state folder. */
  readonly home: string;
  /** Bytes of the file that are done, and calls that were sent. */
  readonly onProgress: (bytes: number, calls: number) => void;
}

export interface ImportResult {
  readonly lines: number;
  readonly calls: number;
  /** Where an attempt before had broken off. */
  readonly resumedAt: number;
}

/** A request has so many calls, or so many characters. */
const MAX_CALLS = 500;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Sends all that an archive has to a service, from where an attempt before broke off; what is there already stays. */
export async function importArchive(service: ServiceAddress, options: ImportOptions): Promise<ImportResult> {
  const kept = new KeptPlace(options.home, await archiveId(options.file), service.url);
  const importing = new Importing(exactReader(service), kept, options);
  await importing.run();
  return importing.result;
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
  readonly #kept: KeptPlace;
  readonly #options: ImportOptions;
  readonly #resumedAt: number;
  #place: ImportPlace;
  #calls: Call[] = [];
  #characters = 0;
  #counts = { lines: 0, calls: 0 };

  constructor(reader: Reader, kept: KeptPlace, options: ImportOptions) {
    this.#reader = reader;
    this.#kept = kept;
    this.#options = options;
    this.#place = kept.read();
    this.#resumedAt = this.#place.offset;
  }

  get result(): ImportResult {
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
    await this.#flush(this.#place.offset);
    if (last !== 'end') throw new Error(`"${this.#options.file}" has no end: the export that wrote it was broken off`);
    this.#kept.remove();
  }

  async #take(line: ArchiveLine, end: number): Promise<void> {
    this.#counts.lines += 1;
    if (line.kind === 'call') return await this.#takeCall(line, end);
    await this.#flush(end);
    const table = await this.#store(line);
    // The last line is read again by an attempt after this one, so that it knows of the end.
    if (line.kind !== 'end') this.#keep({ offset: end, ...(table && { table }) });
  }

  async #takeCall({ value }: ArchiveLine, end: number): Promise<void> {
    // The service made the line.
    this.#calls.push(parseJson(value) as unknown as Call);
    this.#characters += value.length;
    if (this.#calls.length >= MAX_CALLS || this.#characters >= MAX_CHARACTERS) await this.#flush(end);
  }

  async #flush(end: number): Promise<void> {
    if (this.#calls.length === 0) return;
    await this.#reader.calls.write(this.#calls.flatMap(itemsOf));
    this.#counts.calls += this.#calls.length;
    this.#calls = [];
    this.#characters = 0;
    this.#keep({ offset: end });
  }

  async #store({ kind, project, value }: ArchiveLine): Promise<ImportPlace['table']> {
    const reader = this.#reader;
    // Each line has what the export wrote for its kind.
    const content: unknown = parseJson(value);
    switch (kind) {
      case 'feedback':
        await storeFeedback(reader, content as StoredFeedback);
        return undefined;
      case 'object':
        await storeObject(reader, content as ObjectVersion);
        return undefined;
      case 'rows':
        return await storeRows(reader, project, content as Parameters<typeof storeRows>[2], this.#place.table);
      case 'file':
        await storeFile(reader, project, content as StoredFile);
        return undefined;
      default:
        return undefined;
    }
  }

  #keep(place: ImportPlace): void {
    this.#place = place;
    this.#kept.write(place);
    this.#options.onProgress(place.offset, this.#counts.calls);
  }
}

/** Start and end of a call as it was read; what the service computes, it computes anew. */
function itemsOf(call: Call): NewBatchItem[] {
  const { ended_at, exception, output, summary, svc_run_step_end, ...start } = call;
  const { deleted_at: _deleted, storage_size_bytes: _size, total_storage_size_bytes: _total, ...begun } = start;
  const items: NewBatchItem[] = [{ mode: 'start', req: { start: begun } }];
  if (ended_at === null) return items;
  const { id, project_id } = call;
  const end = { id, project_id, ended_at, exception, output, summary, ...(svc_run_step_end && { svc_run_step_end }) };
  return [...items, { mode: 'end', req: { end } }];
}

type StoredFeedback = FeedbackCreateRequest & { readonly created_at: unknown };

/** Time and user are those of the import. What is there under its id stays. */
async function storeFeedback(reader: Reader, stored: StoredFeedback): Promise<void> {
  const { created_at: _time, svc_user_id: _user, ...feedback } = stored;
  const { project_id } = feedback;
  const query = { $expr: field('id').eq(String(feedback.id)).$expr };
  const known = await reader.feedback.query({ project_id, query, fields: ['id'], limit: 1 });
  if (known.length === 0) await reader.feedback.create(feedback);
}

/** Its classes are found in the value again. */
async function storeObject(reader: Reader, version: ObjectVersion): Promise<void> {
  const { project_id, object_id, val, digest: expected_digest, svc_user_id } = version;
  await reader.objects.create({ project_id, object_id, val, expected_digest, svc_user_id });
}

interface StoredFile {
  readonly digest: string;
  readonly name: string;
  readonly content: string;
}

async function storeFile(reader: Reader, project_id: string, { digest, name, content }: StoredFile): Promise<void> {
  await reader.files.create({ project_id, name, bytes: Buffer.from(content, 'base64'), expected_digest: digest });
}

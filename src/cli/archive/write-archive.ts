import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { stringifyJson } from '../../protocol/values/json.ts';
import type { Reader } from '../../reader/reader.ts';
import {
  ArchiveCounter,
  type ArchiveCounts,
  type ArchiveKind,
  type ArchiveLine,
  type CallPosition,
  formatLine,
  parseCallKey,
} from './archive-line.ts';
import { exactReader, lineReader, type ServiceAddress } from './archive-reader.ts';
import { callLines } from './call-lines.ts';
import { FoundRefs } from './found-refs.ts';
import { PartFile } from './part-file.ts';

export interface ArchiveOptions {
  readonly file: string;
  readonly projects: readonly string[];
  /** Unix seconds; of calls only. */
  readonly since: number | undefined;
  /** Calls that are written. */
  readonly onProgress: (calls: number) => void;
}

const PAGE = 100;

/**
 * Writes all that projects have to a file, or goes on where an attempt before broke off. What changes meanwhile may be
 * in it or not.
 */
export async function writeArchive(service: ServiceAddress, options: ArchiveOptions): Promise<ArchiveCounts> {
  const writing = new Writing(options);
  await writing.open();
  try {
    for (const project of options.projects) await writeProject(service, project, writing);
    await writing.end();
  } catch (error) {
    await writing.part.breakOff();
    throw error;
  }
  return writing.counts();
}

async function writeProject(service: ServiceAddress, project: string, writing: Writing): Promise<void> {
  const { since } = writing.options;
  const after = writing.positions.get(project);
  for await (const { key, value } of callLines(lineReader(service), { project, after, since })) {
    const waiting = writing.add({ kind: 'call', project, key, value });
    if (waiting !== undefined) await waiting;
  }
  const reader = exactReader(service);
  await writeFeedback(reader, project, writing);
  await writeObjects(reader, project, writing);
  await writeTables(reader, project, writing);
  await writeFiles(reader, project, writing);
  for (const price of await reader.costs.query({ project_id: project }))
    await writing.add({ kind: 'price', project, key: String(price.id), value: textOf(price) });
  for (const view of await reader.page.views.list({ project_id: project }))
    await writing.add({ kind: 'view', project, key: view.id, value: textOf(view) });
}

async function writeFeedback(reader: Reader, project: string, writing: Writing): Promise<void> {
  const sort_by = [
    { field: 'created_at', direction: 'asc' as const },
    { field: 'id', direction: 'asc' as const },
  ];
  for (let offset = 0; ; offset += PAGE) {
    const records = await reader.feedback.query({ project_id: project, sort_by, offset, limit: PAGE });
    for (const record of records) {
      await writing.add({ kind: 'feedback', project, key: String(record['id']), value: textOf(record) });
    }
    if (records.length < PAGE) return;
  }
}

async function writeObjects(reader: Reader, project: string, writing: Writing): Promise<void> {
  const sort_by = [
    { field: 'created_at', direction: 'asc' as const },
    { field: 'object_id', direction: 'asc' as const },
  ];
  for (let offset = 0; ; offset += PAGE) {
    const versions = await reader.objects.query({ project_id: project, sort_by, offset, limit: PAGE });
    for (const version of versions) {
      const key = `${version.object_id}:${version.digest}`;
      await writing.add({ kind: 'object', project, key, value: textOf(version) });
    }
    if (versions.length < PAGE) return;
  }
}

/** Rows may name further tables. */
async function writeTables(reader: Reader, project: string, writing: Writing): Promise<void> {
  for (const digest of writing.refsOf(project).tables) {
    let from = 0;
    for await (const rows of reader.tables.pages(digest, { project_id: project })) {
      const vals = rows.map(({ val }) => val);
      await writing.add({
        kind: 'rows',
        project,
        key: `${digest}:${from}`,
        value: textOf({ digest, from, rows: vals }),
      });
      from += rows.length;
    }
  }
}

async function writeFiles(reader: Reader, project: string, writing: Writing): Promise<void> {
  for (const [digest, name] of writing.refsOf(project).files) {
    if (writing.has('file', project, digest)) continue;
    const bytes = await reader.files.get(digest, { project_id: project });
    if (bytes === undefined) continue;
    const content = Buffer.from(bytes).toString('base64');
    await writing.add({ kind: 'file', project, key: digest, value: textOf({ digest, name, content }) });
  }
}

function textOf(value: unknown): string {
  // What the service answered was JSON.
  return stringifyJson(value as JsonValue);
}

/** The state of an archive while it is written. */
class Writing {
  readonly options: ArchiveOptions;
  /** The last call of each project. */
  readonly positions = new Map<string, CallPosition>();
  readonly #refs = new Map<string, FoundRefs>();
  readonly #written = new Set<string>();
  readonly #counts = new ArchiveCounter();
  readonly #hash = createHash('sha256');
  #part: PartFile | undefined;

  constructor(options: ArchiveOptions) {
    this.options = options;
  }

  get part(): PartFile {
    if (this.#part === undefined) throw new Error('The archive is not open');
    return this.#part;
  }

  async open(): Promise<void> {
    const { projects, since = null, file } = this.options;
    const header = { format: 1, projects, since };
    this.#part = await PartFile.open(file, (line, text) => {
      if (line.kind === 'header' && !isSameHeader(line.value, header)) throw otherArchive(file);
      this.#note(line, text);
    });
    const value = textOf({ ...header, id: randomUUID() });
    await this.add({ kind: 'header', project: '', key: '', value });
  }

  async end(): Promise<void> {
    const sha256 = this.#hash.digest('hex');
    const value = textOf({ ...this.counts(), sha256, version: PACKAGE_VERSION, written_at: new Date().toISOString() });
    await this.part.add(formatLine({ kind: 'end', project: '', key: '', value }));
    await this.part.finish();
  }

  has(kind: ArchiveKind, project: string, key: string): boolean {
    return this.#written.has(`${kind} ${project} ${key}`);
  }

  /** A line that is there already is left out. */
  add(line: ArchiveLine): Promise<void> | undefined {
    if (this.has(line.kind, line.project, line.key)) return undefined;
    const text = formatLine(line);
    this.#note(line, text);
    return this.part.add(text);
  }

  refsOf(project: string): FoundRefs {
    const known = this.#refs.get(project) ?? new FoundRefs(project);
    this.#refs.set(project, known);
    return known;
  }

  counts(): ArchiveCounts {
    return this.#counts.counts();
  }

  #note({ kind, project, key, value }: ArchiveLine, text: string): void {
    const count = this.#counts.add(kind);
    this.#hash.update(text);
    // Of millions of calls only the last one is kept.
    if (kind === 'call') this.positions.set(project, parseCallKey(key));
    else this.#written.add(`${kind} ${project} ${key}`);
    if (kind !== 'file' && kind !== 'header') this.refsOf(project).scan(value);
    if (kind === 'call') this.options.onProgress(count);
  }
}

function isSameHeader(value: string, header: object): boolean {
  const { id: _id, ...written } = JSON.parse(value) as Record<string, unknown>;
  return isDeepStrictEqual(written, header);
}

function otherArchive(file: string): Error {
  return new Error(`"${file}.part" is of an export with other options: remove it, or export to another file`);
}

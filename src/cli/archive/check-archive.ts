import { createHash } from 'node:crypto';
import type { Call } from '../../protocol/call.ts';
import type { Reader } from '../../reader/reader.ts';
import { ArchiveCounter, type ArchiveLine, isBefore, parseLine } from './archive-line.ts';
import { exactReader, lineReader, type ServiceAddress } from './archive-reader.ts';
import { callLines, type CallText } from './call-lines.ts';
import { readFileLines } from './read-lines.ts';
import { isStored } from './stored-lines.ts';

export interface CheckOptions {
  readonly file: string;
  /** Bytes of the file that were compared. */
  readonly onProgress: (bytes: number) => void;
}

/**
 * Compares all that an archive has with a service, and resolves with how many lines that were. Rejects where the archive is not
 * what its export wrote, or where the service lacks something or has it otherwise.
 */
export async function checkArchive(service: ServiceAddress, { file, onProgress }: CheckOptions): Promise<number> {
  const checking = new Checking(service, file);
  try {
    for await (const { text, end } of readFileLines(file)) {
      const line = parseLine(text);
      if (line === undefined) throw new Error(`"${file}" is damaged before byte ${end}`);
      await checking.take(line, text);
      onProgress(end);
    }
  } finally {
    await checking.leave();
  }
  return checking.finish(service.url);
}

class Checking {
  readonly #service: ServiceAddress;
  readonly #reader: Reader;
  readonly #file: string;
  readonly #hash = createHash('sha256');
  readonly #counts = new ArchiveCounter();
  #since: number | undefined;
  #calls: ProjectCalls | undefined;
  #differing: { count: number; readonly first: string } | undefined;

  constructor(service: ServiceAddress, file: string) {
    this.#service = service;
    this.#reader = exactReader(service);
    this.#file = file;
  }

  async take(line: ArchiveLine, text: string): Promise<void> {
    if (line.kind === 'end') return this.#checkEnd(line.value);
    this.#hash.update(text).update('\n');
    this.#counts.add(line.kind);
    if (line.kind === 'header') this.#since = (JSON.parse(line.value) as { since: number | null }).since ?? undefined;
    else if (!(await this.#isThere(line))) this.#note(line);
  }

  async leave(): Promise<void> {
    await this.#calls?.leave();
  }

  finish(url: string): number {
    if (this.#differing === undefined) return this.#counts.lines;
    const { count, first } = this.#differing;
    throw new Error(
      `${url} lacks, or has otherwise, ${count} of the ${this.#counts.lines} lines of "${this.#file}": the first is ${first}; what was there before the import, or was deleted there, stays so`,
    );
  }

  async #isThere(line: ArchiveLine): Promise<boolean> {
    if (line.kind !== 'call') return await isStored(this.#reader, line);
    if (this.#calls?.project !== line.project) {
      await this.#calls?.leave();
      this.#calls = new ProjectCalls(this.#service, line.project, this.#since);
    }
    const there = await this.#calls.find(line.key);
    return there !== undefined && (there === line.value || hasEndedSince(line.value, there));
  }

  #note({ kind, project, key }: ArchiveLine): void {
    this.#differing ??= { count: 0, first: `${kind} "${key}" of ${project}` };
    this.#differing.count += 1;
  }

  #checkEnd(value: string): void {
    // Exports of earlier versions wrote no digest.
    const { sha256, ...said } = JSON.parse(value) as Readonly<Record<string, unknown>>;
    const found = Object.entries(this.#counts.counts()).filter(([name, count]) => (said[name] ?? 0) !== count);
    const isWhole = found.length === 0 && (sha256 === undefined || sha256 === this.#hash.digest('hex'));
    if (!isWhole) throw new Error(`"${this.#file}" is damaged: it is not what its export has written`);
  }
}

/** The calls that a service has of a project, asked for in the order of an archive. */
class ProjectCalls {
  readonly project: string;
  readonly #calls: AsyncGenerator<CallText>;
  #next: CallText | undefined;

  constructor(service: ServiceAddress, project: string, since: number | undefined) {
    this.project = project;
    this.#calls = callLines(lineReader(service), { project, after: undefined, since });
  }

  /** The text of a call; every key is behind the one before. */
  async find(key: string): Promise<string | undefined> {
    while (this.#next === undefined || isBefore(this.#next.key, key)) {
      const { value, done } = await this.#calls.next();
      if (done === true) return undefined;
      this.#next = value;
    }
    return this.#next.key === key ? this.#next.value : undefined;
  }

  async leave(): Promise<void> {
    await this.#calls.return(undefined);
  }
}

/** Programs go on while what they have recorded is moved. */
function hasEndedSince(archived: string, there: string): boolean {
  const endOf = (text: string) => (JSON.parse(text) as Call).ended_at;
  return endOf(archived) === null && endOf(there) !== null;
}

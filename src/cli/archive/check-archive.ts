import { createHash } from 'node:crypto';
import { parseDateTimeOfAnyYear } from '../../protocol/values/date-time.ts';
import { ArchiveCounter, type ArchiveLine, isBefore, parseCallKey, parseLine } from './archive-line.ts';
import { exactReader, lineReader, type ServiceAddress } from './archive-reader.ts';
import { callLines, type CallText } from './call-lines.ts';
import { FeedbackGroup } from './feedback-group.ts';
import { readFileLines } from './read-lines.ts';
import { isStillThere } from './still-there.ts';
import { StoredLines } from './stored-lines.ts';

/** The outcome of a comparison that was made to its end, or of an archive that is damaged. */
export class ArchiveVerdict extends Error {}

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
      if (line === undefined) throw new ArchiveVerdict(`"${file}" is damaged before byte ${end}`);
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
  readonly #stored: StoredLines;
  readonly #file: string;
  readonly #hash = createHash('sha256');
  readonly #counts = new ArchiveCounter();
  #compared = 0;
  #hasEnded = false;
  #calls: ProjectCalls | undefined;
  readonly #feedback = new FeedbackGroup();
  #differing: { count: number; readonly first: string } | undefined;

  constructor(service: ServiceAddress, file: string) {
    this.#service = service;
    this.#stored = new StoredLines(exactReader(service));
    this.#file = file;
  }

  async take(line: ArchiveLine, text: string): Promise<void> {
    if (this.#hasEnded) throw this.#damaged();
    if (!this.#feedback.takes(line)) await this.#compareFeedback();
    if (line.kind === 'end') return this.#checkEnd(line.value);
    this.#hash.update(text).update('\n');
    this.#counts.add(line.kind);
    if (line.kind === 'feedback') this.#feedback.add(line);
    else this.#judge(line, await this.#isThere(line));
  }

  async leave(): Promise<void> {
    await this.#calls?.leave();
    this.#calls = undefined;
  }

  finish(url: string): number {
    if (this.#differing === undefined) return this.#compared;
    const { count, first } = this.#differing;
    throw new ArchiveVerdict(
      `${url} lacks, or has otherwise, ${count} of the ${this.#compared} lines of "${this.#file}": the first is ${first}; what was there before the import, or was deleted there, stays so`,
    );
  }

  /** `undefined` for what is not compared. */
  async #isThere(line: ArchiveLine): Promise<boolean | undefined> {
    if (line.kind !== 'call') {
      // Other lines may take longer than an answer that nobody reads stays.
      await this.leave();
      return await this.#stored.has(line);
    }
    if (this.#calls?.project !== line.project) {
      await this.leave();
      this.#calls = new ProjectCalls(this.#service, line.project, line.key);
    }
    const there = await this.#calls.find(line.key);
    return there !== undefined && isStillThere(line.value, there);
  }

  async #compareFeedback(): Promise<void> {
    const lines = this.#feedback.empty();
    if (lines.length === 0) return;
    await this.leave();
    const areThere = await this.#stored.haveFeedback(lines);
    for (const [index, line] of lines.entries()) this.#judge(line, areThere[index]);
  }

  /** Counts what was compared. */
  #judge(line: ArchiveLine, isThere: boolean | undefined): void {
    if (isThere !== undefined) this.#compared += 1;
    if (isThere === false) this.#note(line);
  }

  #note({ kind, project, key }: ArchiveLine): void {
    this.#differing ??= { count: 0, first: `${kind} "${key}" of ${project}` };
    this.#differing.count += 1;
  }

  #damaged(): ArchiveVerdict {
    return new ArchiveVerdict(`"${this.#file}" is damaged: it is not what its export has written`);
  }

  #checkEnd(value: string): void {
    this.#hasEnded = true;
    // Exports of earlier versions wrote no digest.
    const { sha256, ...said } = JSON.parse(value) as Readonly<Record<string, unknown>>;
    const found = Object.entries(this.#counts.counts()).filter(([name, count]) => (said[name] ?? 0) !== count);
    const isWhole = found.length === 0 && (sha256 === undefined || sha256 === this.#hash.digest('hex'));
    if (!isWhole) throw this.#damaged();
  }
}

/** The calls that a service has of a project, asked for in the order of an archive, from its first one on. */
class ProjectCalls {
  readonly project: string;
  readonly #calls: AsyncGenerator<CallText>;
  #next: CallText | undefined;

  constructor(service: ServiceAddress, project: string, first: string) {
    this.project = project;
    this.#calls = callLines(lineReader(service), { project, after: undefined, since: secondOf(first) });
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
    try {
      await this.#calls.return(undefined);
    } catch {
      // The service may have broken off what nobody wants any more.
    }
  }
}

/** The second in which a call began; everything where that is not known. */
function secondOf(key: string): number | undefined {
  const micros = parseDateTimeOfAnyYear(parseCallKey(key).started_at);
  return micros === undefined ? undefined : Math.floor(micros / 1e6);
}

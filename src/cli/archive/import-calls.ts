import { statSync } from 'node:fs';
import type { Reader } from '../../reader/reader.ts';
import { ArchiveVerdict } from './check-archive.ts';
import { exactReader, lineReader, type ServiceAddress } from './archive-reader.ts';
import { CallGroup } from './call-group.ts';
import type { ImportResult } from './import-archive.ts';
import { readFileLines } from './read-lines.ts';
import { isStillThere } from './still-there.ts';

/** A line with a call as services send it begins so. */
const HEAD = /^\{"id":("(?:[^"\\]|\\.)*"),"project_id":("(?:[^"\\]|\\.)*"),/;

/** Is it a file of calls that were exported by a filter, or by a page, and no archive? An empty one has none of them. */
export async function isFileOfCalls(file: string): Promise<boolean> {
  for await (const { text } of readFileLines(file)) return HEAD.test(lineOf(text));
  return statSync(file).size === 0;
}

/** Some editors and shells write a mark before the first line, and lines that end as those of Windows do. */
function lineOf(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r$/, '');
}

export interface ImportCallsOptions {
  readonly file: string;
  /** Bytes of the file that are done. */
  readonly onProgress: (bytes: number) => void;
}

/**
 * Sends the calls of a file to a service; what is there already stays. Each group is compared with what the service has then:
 * rejects at the end where it lacks calls or has them otherwise.
 */
export async function importCalls(service: ServiceAddress, options: ImportCallsOptions): Promise<ImportResult> {
  const importing = new ImportingCalls(service, options);
  let done = 0;
  for await (const { text, end } of readFileLines(options.file)) {
    await importing.take(lineOf(text), end);
    done = end;
  }
  const result = await importing.finish();
  if (done < statSync(options.file).size)
    throw new ArchiveVerdict(`"${options.file}" is cut behind byte ${done}: its last line has no end`);
  return result;
}

class ImportingCalls {
  readonly #service: ServiceAddress;
  readonly #options: ImportCallsOptions;
  readonly #writer: Reader;
  readonly #lines: Reader;
  readonly #group = new CallGroup();
  #texts = new Map<string, string>();
  #project = '';
  #end = 0;
  #calls = 0;
  #differing: { count: number; readonly first: string } | undefined;

  constructor(service: ServiceAddress, options: ImportCallsOptions) {
    this.#service = service;
    this.#options = options;
    this.#writer = exactReader(service);
    this.#lines = lineReader(service);
  }

  async take(text: string, end: number): Promise<void> {
    const [, id, project] = HEAD.exec(text) ?? [];
    if (id === undefined || project === undefined || !text.endsWith('}'))
      throw new ArchiveVerdict(`"${this.#options.file}" is damaged before byte ${end}`);
    const projectId = JSON.parse(project) as string;
    if (projectId !== this.#project) await this.#flush();
    this.#project = projectId;
    this.#add(text, end);
    this.#texts.set(JSON.parse(id) as string, text);
    this.#end = end;
    if (this.#group.isFull) await this.#flush();
  }

  #add(text: string, end: number): void {
    try {
      this.#group.add(text);
    } catch (error) {
      throw new ArchiveVerdict(`"${this.#options.file}" is damaged before byte ${end}`, { cause: error });
    }
  }

  async finish(): Promise<ImportResult> {
    await this.#flush();
    const { file } = this.#options;
    if (this.#differing === undefined)
      return { lines: this.#calls, calls: this.#calls, resumedAt: 0, compared: this.#calls };
    const { count, first } = this.#differing;
    throw new ArchiveVerdict(
      `${this.#service.url} lacks, or has otherwise, ${count} of the ${this.#calls} calls of "${file}": the first is ${first}; what was there before the import, or was deleted there, stays so`,
    );
  }

  async #flush(): Promise<void> {
    if (this.#group.count === 0) return;
    this.#calls += this.#group.count;
    await this.#group.send(this.#writer);
    await this.#compare();
    this.#texts = new Map();
    this.#options.onProgress(this.#end);
  }

  async #compare(): Promise<void> {
    const missing = new Map(this.#texts);
    const request = { project_id: this.#project, filter: { call_ids: [...this.#texts.keys()] } };
    // Lines are texts here.
    for await (const there of this.#lines.calls.query(request) as AsyncIterable<unknown> as AsyncIterable<string>) {
      const [, id = '""'] = HEAD.exec(there) ?? [];
      const exported = this.#texts.get(JSON.parse(id) as string);
      if (exported !== undefined && isStillThere(exported, there)) missing.delete(JSON.parse(id) as string);
    }
    for (const id of missing.keys()) {
      this.#differing ??= { count: 0, first: `call "${id}" of ${this.#project}` };
      this.#differing.count += 1;
    }
  }
}

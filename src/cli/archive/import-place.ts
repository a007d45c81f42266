import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How far an import is. */
export interface ImportPlace {
  /** Byte of the archive behind the last line that the service has. */
  readonly offset: number;
  /** The table whose rows come in several lines, as far as it is stored. */
  readonly table?: { readonly digest: string; readonly current: string };
}

/** Where the place of an import is kept, in the state folder: an archive may be on a disk that cannot be written. */
export class KeptPlace {
  readonly #path: string;

  /** @param archive id in the header of the archive, wherever the file is */
  constructor(home: string, archive: string, url: string) {
    const hash = createHash('sha256').update(JSON.stringify([archive, url]));
    this.#path = join(home, 'imports', `${hash.digest('hex').slice(0, 32)}.json`);
  }

  read(): ImportPlace {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as ImportPlace;
    } catch {
      // There is none, or a crash has damaged it: what the service has already does no harm.
      return { offset: 0 };
    }
  }

  write(place: ImportPlace): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(place), { mode: 0o600 });
    renameSync(draft, this.#path);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Encoding = 'br' | 'gzip';

/** One file of the built page. */
export interface PageFile {
  readonly type: string;
  /** Its name has a hash of its content: it never changes. */
  readonly isImmutable: boolean;
  /** Packed with the build. */
  readonly encodings: readonly Encoding[];
  read(encoding?: Encoding): Promise<Buffer>;
}

const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  webp: 'image/webp',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
};

/** Where the files are that the package brings; sources run beside what was built of them, and what was built is one folder deep. */
export function builtPageFolder(): string {
  const place = import.meta.url.endsWith('.ts') ? '../../../dist/ui' : '../ui';
  return fileURLToPath(new URL(place, import.meta.url));
}

/**
 * The files of the built page by their paths. They are listed once, and nothing but what is on the list is ever read: a
 * path leads out of the folder as little as any other that is not there.
 */
export class PageFiles {
  readonly #folder: string;
  #files: ReadonlyMap<string, PageFile> | undefined;
  #builtAt: number | undefined;

  constructor(folder: string = builtPageFolder()) {
    this.#folder = folder;
  }

  /** The file at a path such as `assets/app-1a2b3c4d.js`. */
  get(path: string): PageFile | undefined {
    return this.#list().get(path);
  }

  /** The text of the page; undefined when there is no built page. */
  index(): string | undefined {
    try {
      return readFileSync(join(this.#folder, 'index.html'), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
        return undefined;
      }
      throw error;
    }
  }

  /** Listed anew when the page was built anew. */
  #list(): ReadonlyMap<string, PageFile> {
    const builtAt = statSync(join(this.#folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
    if (this.#files === undefined || builtAt !== this.#builtAt) this.#files = listFiles(this.#folder);
    this.#builtAt = builtAt;
    return this.#files;
  }
}

function listFiles(folder: string): Map<string, PageFile> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/').replace(/^\/+/, ''));
  const known = new Set(paths);
  return new Map(paths.filter((path) => !isVariant(path, known)).map((path) => [path, pageFile(folder, path, known)]));
}

function isVariant(path: string, known: ReadonlySet<string>): boolean {
  return Object.values(ENDINGS).some((ending) => path.endsWith(ending) && known.has(path.slice(0, -ending.length)));
}

function pageFile(folder: string, path: string, known: ReadonlySet<string>): PageFile {
  const encodings = (['br', 'gzip'] as const).filter((encoding) => known.has(path + ENDINGS[encoding]));
  return {
    type: TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    isImmutable: /[-.][\w-]{8,}\.\w+$/.test(path) && path.startsWith('assets/'),
    encodings,
    read: async (encoding) => await readFile(join(folder, path + (encoding === undefined ? '' : ENDINGS[encoding]))),
  };
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** One file of the built page. */
export interface PageFile {
  readonly type: string;
  /** Its name has a hash of its content: it never changes. */
  readonly isImmutable: boolean;
  /** In which it can be sent packed, the smallest first. */
  readonly encodings: readonly Encoding[];
  /** As it is without an encoding. */
  read(encoding?: Encoding): Promise<Buffer>;
}

/** The build packs files once; gzip, for clients that read nothing smaller, is made of that when it is first asked for. */
const PACKED = '.br';

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

/** Where the files are that the package brings, from wherever in it this runs: as source, or in some chunk of the build. */
export function builtPageFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('spoor/package.json')), 'dist', 'ui');
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
  return new Map(paths.map(withoutEnding).map((path) => [path, pageFile(folder, path, known)]));
}

/** The path of a file that was packed by the build, as clients ask for it. */
function withoutEnding(path: string): string {
  return path.endsWith(PACKED) ? path.slice(0, -PACKED.length) : path;
}

function pageFile(folder: string, path: string, known: ReadonlySet<string>): PageFile {
  const facts = {
    type: TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    isImmutable: /[-.][\w-]{8,}\.\w+$/.test(path) && path.startsWith('assets/'),
  };
  if (known.has(path)) return { ...facts, encodings: [], read: async () => await readFile(join(folder, path)) };
  const readPacked = async () => await readFile(join(folder, path + PACKED));
  const unpack = async () => await promisify(brotliDecompress)(await readPacked());
  let zipped: Promise<Buffer> | undefined;
  const zip = async () => {
    try {
      return await promisify(gzip)(await unpack());
    } catch (error) {
      zipped = undefined;
      throw error;
    }
  };
  return {
    ...facts,
    encodings: ['br', 'gzip'],
    read: async (encoding) => {
      if (encoding === 'br') return await readPacked();
      if (encoding === undefined) return await unpack();
      return await (zipped ??= zip());
    },
  };
}

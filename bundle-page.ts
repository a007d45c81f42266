import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';

const ROOT = import.meta.dirname;

/** Below it, packing saves less than a packet. */
const SMALLEST_PACKED_BYTES = 1024;

/** The router brings a hook that React has had for long, for older ones. */
const OWN_STORE_HOOK = { find: /^use-sync-external-store\/shim.*$/, replacement: 'react' };

/** Each client of queries makes a cache of mutations, with all their code; the page has none. */
const NO_MUTATIONS = { find: /^\.\/mutationCache\.js$/, replacement: resolve(ROOT, 'src/ui/no-mutations.ts') };

/** What the build of the page and its development server share. */
export const PAGE: InlineConfig = {
  root: resolve(ROOT, 'src/ui'),
  base: '/ui/',
  configFile: false,
  logLevel: 'warn',
  clearScreen: false,
  plugins: [react()],
  resolve: {
    conditions: ['spoor-source', 'module', 'browser', 'development|production'],
    alias: [OWN_STORE_HOOK, NO_MUTATIONS],
  },
};

const BUILD = {
  emptyOutDir: true,
  target: 'es2022',
  // The browsers that know `light-dark()` know the rest, too.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  reportCompressedSize: false,
};

/**
 * Writes the page to `folder`: files with hashes in their names, each in its brotli and gzip form. Scripts find one
 * another by relative addresses, so that only `index.html` knows where the page is served.
 */
export async function buildPage(folder: string): Promise<void> {
  // Whoever builds in a test would else get the React that warns.
  process.env['NODE_ENV'] = 'production';
  await build({
    ...PAGE,
    mode: 'production',
    build: {
      ...BUILD,
      outDir: folder,
      // A thirtieth less than by esbuild, as much as three parts of the page take; it takes twice as long.
      minify: 'terser',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  });
  await buildViewer(resolve(folder, 'viewer'));
  await pack(folder);
}

/**
 * The part of the page that shows one trace, as one script and one style: they are written into the file of a trace.
 * Threads would have to be loaded from somewhere, so there are none.
 */
async function buildViewer(folder: string): Promise<void> {
  await build({
    ...PAGE,
    mode: 'production',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      ...PAGE.resolve,
      alias: [
        OWN_STORE_HOOK,
        NO_MUTATIONS,
        { find: /^.*\/lay-out-in-thread\.ts$/, replacement: resolve(ROOT, 'src/ui/trace/layout/lay-out-here.ts') },
      ],
    },
    build: {
      ...BUILD,
      outDir: folder,
      cssCodeSplit: false,
      lib: {
        entry: resolve(ROOT, 'src/ui/file/main.tsx'),
        formats: ['iife'],
        name: 'spoor',
        fileName: () => 'viewer.js',
        cssFileName: 'viewer',
      },
    },
  });
  const path = resolve(folder, 'viewer.js');
  // What ends a script element, or hides its end, stands in strings and patterns only, where the sign may be escaped.
  const script = (await readFile(path, 'utf8')).replaceAll(/<(?=!--|\/?script)/gi, String.raw`\x3c`);
  await writeFile(path, script);
}

/** Packed files stand for the ones they are made of, which would be half of the package. The index is changed as it is sent. */
async function pack(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((file) => file.isFile())) {
    const path = resolve(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (bytes.length < SMALLEST_PACKED_BYTES || entry.name === 'index.html') continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
    await rm(path);
  }
}

// As a program: `tsx bundle-page.ts dist/ui`.
if (process.argv[1] === import.meta.filename) await buildPage(resolve(ROOT, process.argv[2] ?? 'dist/ui'));

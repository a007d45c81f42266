import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const ASSETS = new URL('../../dist/ui/assets/', import.meta.url);

/** Kilobytes that files of the page take as gzip, those that end so; each is a path or a name. */
export function gzipKb(files: readonly string[], ending: string): number {
  const names = new Set(files.map((file) => file.slice(file.lastIndexOf('/') + 1)));
  return [...names].filter((name) => name.endsWith(ending)).reduce((sum, name) => sum + gzipBytes(name), 0) / 1024;
}

/** Files of the built page that carry one of these names before their hash. */
export function filesNamed(...names: readonly string[]): string[] {
  const files = readdirSync(ASSETS).map((file) => file.replace(/\.br$/, ''));
  return names.map((name) => {
    const found = files.find((file) => file.startsWith(`${name}-`) && file.endsWith('.js'));
    if (found === undefined) throw new Error(`The page has no file "${name}"`);
    return found;
  });
}

function gzipBytes(name: string): number {
  const packed = new URL(`${name}.br`, ASSETS);
  const bytes = existsSync(packed) ? brotliDecompressSync(readFileSync(packed)) : readFileSync(new URL(name, ASSETS));
  return gzipSync(bytes, { level: 9 }).length;
}

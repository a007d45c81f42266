import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

export const SCRIPT = 'console.log("the page")';
export const INDEX =
  '<!doctype html><html><head><script type="module" src="/ui/assets/app-1a2b3c4d.js"></script></head></html>';

/** A folder with a built page, whose script is there in its packed form only, and a file beside it that is nobody's business. */
export function makePageFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'spoor-page-'));
  const folder = join(parent, 'ui');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), INDEX);
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  const script = join(folder, 'assets', 'app-1a2b3c4d.js');
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  mkdirSync(join(folder, 'viewer'));
  writeFileSync(join(folder, 'viewer', 'viewer.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'viewer', 'viewer.css.br'), brotliCompressSync('body { margin: 0 }'));
  return folder;
}

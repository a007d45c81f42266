import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installTarball } from '../flow/package-copy.ts';
import { ROOT } from '../flow/service-process.ts';

const PLACE = join(ROOT, 'node_modules', '.spoor-packed');

/** The command of the package as it is packed and installed. */
export function packedProgram(): string {
  return join(packedFolder(), 'node_modules', 'spoor', 'dist', 'cli', 'main.js');
}

/** Where the package is installed. It is packed once for what is built: the first file of tests that asks does it for all. */
export function packedFolder(): string {
  const built = statSync(join(ROOT, 'dist', 'index.js')).mtimeMs;
  const folder = join(PLACE, String(Math.floor(built)));
  if (!existsSync(folder)) pack(folder);
  return folder;
}

function pack(folder: string): void {
  mkdirSync(PLACE, { recursive: true });
  const earlier = readdirSync(PLACE).filter((name) => /^\d+$/.test(name));
  const draft = mkdtempSync(join(PLACE, 'draft-'));
  installTarball(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process was quicker, and what it has packed is the same.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
    return;
  }
  for (const name of earlier) rmSync(join(PLACE, name), { recursive: true, force: true });
}

import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../flow/service-process.ts';

const run = promisify(execFile);
const SOURCES = join(ROOT, 'examples', 'recipes');
/** Outside of this checkout, whose packages recipes would find, and of any `node_modules`, where Deno and jest run nothing. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'spoor-recipes');
/** Longest time of an installation from the registry. */
const INSTALL_MS = 300_000;
/** The version that recipes name: the tarball stands in for what the registry has. */
const PUBLISHED = /"spoor": "[^"]+"/;

/** Path of the package as it would be published. `dist` must be built. */
export function packPackage(folder: string): string {
  const flags = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  return join(folder, execFileSync('npm', flags, { cwd: ROOT, encoding: 'utf8' }).trim());
}

/** The folder of a copy of the recipe with its packages, those of an earlier run with the same list but for `spoor`. */
export async function installRecipe(name: string, tarball: string): Promise<string> {
  const list = readFileSync(join(SOURCES, name, 'package.json'), 'utf8');
  const hash = createHash('sha256').update(list).digest('hex').slice(0, 12);
  const folder = join(CACHE, `${name}-${hash}`);
  if (!existsSync(join(folder, 'node_modules'))) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(SOURCES, name), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), list.replace(PUBLISHED, `"spoor": ${JSON.stringify(`file:${tarball}`)}`));
  // A lock would name the tarball of the run before, which is gone.
  rmSync(join(folder, 'package-lock.json'), { force: true });
  const flags = ['--no-package-lock', '--no-fund', '--no-audit', '--prefer-offline', '--loglevel=error'];
  rmSync(join(folder, 'node_modules', 'spoor'), { recursive: true, force: true });
  await run('npm', ['install', ...flags], { cwd: folder, timeout: INSTALL_MS });
  return folder;
}

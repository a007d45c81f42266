import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.ts';
import { isAlive } from '../src/spool/owner.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOCK = join(ROOT, 'node_modules', '.spoor-build.lock');
const DIST = join(ROOT, 'dist');
/** Beside `dist`, so that source maps fit and files can be moved over. */
const DRAFT = join(ROOT, '.dist-new');

/**
 * Makes `dist` newer than `src`, for tests that run the package as its users do. Test files run in several
 * processes, so one builds while the others wait for it. Programs of other tests run from `dist` meanwhile: none of
 * them ever finds a file that is missing or half written.
 */
export async function buildOnce(): Promise<void> {
  while (existsSync(LOCK) || !isFresh()) {
    if (await build()) return;
    await sleep(50);
  }
}

/** False when another process is building. */
async function build(): Promise<boolean> {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    dropStaleLock();
    return false;
  }
  try {
    if (!isFresh()) await rebuild();
  } finally {
    rmSync(LOCK);
  }
  return true;
}

async function rebuild(): Promise<void> {
  const begun = new Date();
  rmSync(DRAFT, { recursive: true, force: true });
  // Types are looked at by `npm run types`.
  const flags = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', DRAFT];
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...flags], { cwd: ROOT, stdio: 'pipe' });
  await bundle(DRAFT);
  execFileSync(process.execPath, ['--import', 'tsx', 'bundle-page.ts', join(DRAFT, 'ui')], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  const built = filesOf(DRAFT);
  for (const file of chunksFirst(built)) replace(file);
  const isStale = (file: string) => !built.includes(file);
  for (const file of filesOf(DIST).filter(isStale)) rmSync(join(DIST, file));
  rmSync(DRAFT, { recursive: true });
  // What was changed during the build may not be in it.
  utimesSync(join(DIST, 'index.js'), begun, begun);
}

/** Files that stay the same are left alone. */
function replace(file: string): void {
  const [from, to] = [join(DRAFT, file), join(DIST, file)];
  if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) return;
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** Whoever finds an entry finds what it imports. */
function chunksFirst(files: readonly string[]): readonly string[] {
  const isChunk = (file: string) => Number(file.startsWith('chunks'));
  return [...files].sort((a, b) => isChunk(b) - isChunk(a));
}

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** A process that was killed leaves its lock. However long a build takes, while its process runs nobody else begins one. */
function dropStaleLock(): void {
  const builder = builderOf(LOCK);
  if (builder !== undefined && !isAlive(builder)) rmSync(LOCK, { force: true });
}

/** Undefined: the lock has just gone, or was just made and has no number yet. */
function builderOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isFresh(): boolean {
  const built = statSync(join(ROOT, 'dist', 'index.js'), { throwIfNoEntry: false });
  return built !== undefined && built.mtimeMs > newestSource();
}

function newestSource(): number {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const files = [
    'bundle.ts',
    'bundle-commands.ts',
    'bundle-maps.ts',
    'bundle-notices.ts',
    'bundle-page.ts',
    ...sources.map((file) => join('src', file)),
  ];
  return Math.max(...files.map((file) => statSync(join(ROOT, file)).mtimeMs));
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOCK = join(ROOT, 'node_modules', '.spoor-build-lock');

/**
 * Makes `dist` newer than `src`, for tests that run the package as its users do. Test files run in several
 * processes, so one builds while the others wait for it.
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
    mkdirSync(LOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    dropStaleLock();
    return false;
  }
  try {
    if (!isFresh())
      execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { cwd: ROOT });
  } finally {
    rmdirSync(LOCK);
  }
  return true;
}

/** A build takes seconds; a lock that is older was left by a process that was killed. */
function dropStaleLock(): void {
  const lock = statSync(LOCK, { throwIfNoEntry: false });
  if (lock !== undefined && Date.now() - lock.mtimeMs > 120_000) rmdirSync(LOCK);
}

function isFresh(): boolean {
  const built = statSync(join(ROOT, 'dist', 'index.js'), { throwIfNoEntry: false });
  return built !== undefined && built.mtimeMs > newestSource();
}

function newestSource(): number {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => statSync(join(ROOT, 'src', file)).mtimeMs));
}

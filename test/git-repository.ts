import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a folder a repository of git with one commit of `main.js`. */
export function makeRepository(folder: string): string {
  git(folder, 'init', '-q');
  writeFileSync(join(folder, 'main.js'), 'first');
  commitAll(folder);
  return folder;
}

export function commitAll(folder: string): void {
  git(folder, 'add', '-A');
  git(
    folder,
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.com',
    'commit',
    '-q',
    '--no-gpg-sign',
    '-m',
    'change',
  );
}

export function headOf(folder: string): string {
  return git(folder, 'rev-parse', 'HEAD').trim();
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

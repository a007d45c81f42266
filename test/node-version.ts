import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../node_modules/.cache/spoor', import.meta.url));

/**
 * Path of the program of a major version of Node: the running one, or one from the npm registry, which is installed
 * beside the other packages for the next time. Throws when it cannot be had.
 */
export function nodeOfMajor(major: number): string {
  return Number.parseInt(process.versions.node, 10) === major ? process.execPath : nodeOfVersion(`${major}`);
}

/** The same, of a version such as `20.18`, from the npm registry. */
export function nodeOfVersion(version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(CACHE, `node-${version}`);
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) install(`${name}@${version}`, folder);
  return program;
}

function install(spec: string, folder: string): void {
  const flags = ['--no-save', '--no-fund', '--no-audit', '--ignore-scripts', '--loglevel=error', '--prefix', folder];
  try {
    execFileSync('npm', ['install', ...flags, spec], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = /npm (?:error|ERR!) (?!code)(.*)/.exec(stderr)?.[1] ?? message;
    throw new Error(`Cannot install ${spec}: ${reason}`, { cause: error });
  }
}

// As a program it prints the path: `tsx test/node-version.ts 22`.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${nodeOfMajor(Number(process.argv[2]))}\n`);
}

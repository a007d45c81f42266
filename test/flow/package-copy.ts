import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './service-process.ts';

/** A user without an entry in the system, whom only the administrator can be. */
export const STRANGER = 54_321;

/**
 * May programs run as the stranger here? That takes the rights of the administrator, and a Node that everybody may start:
 * one below the administrator's home is his alone.
 */
export function canBeStranger(): boolean {
  if (process.getuid?.() !== 0) return false;
  return spawnSync(process.execPath, ['--version'], { uid: STRANGER, gid: STRANGER, cwd: '/', env: {} }).status === 0;
}

/**
 * Puts the built package with what it needs below a folder, as `npm install` does, and returns the address of its
 * entry. A checkout may lie where only its owner may look.
 */
export function copyPackage(folder: string): string {
  const target = join(folder, 'node_modules', 'spoor');
  if (!existsSync(target)) {
    mkdirSync(target, { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(target, 'package.json'));
    cpSync(join(ROOT, 'dist'), join(target, 'dist'), { recursive: true });
    for (const name of dependenciesOf(ROOT)) copyDependency(name, folder);
    // A checkout that was made for nobody else is copied with its modes.
    execFileSync('chmod', ['-R', 'a+rX', folder]);
  }
  return pathToFileURL(join(target, 'dist', 'index.js')).href;
}

/** Installs the packed tarball into a folder, with its command; what it needs is linked to that of the checkout. */
export function installTarball(folder: string): void {
  const target = join(folder, 'node_modules', 'spoor');
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(target, { recursive: true });
  mkdirSync(bin);
  const flags = ['--pack-destination', bin, '--ignore-scripts', '--loglevel=error'];
  const tarball = join(bin, execFileSync('npm', ['pack', ...flags], { cwd: ROOT, encoding: 'utf8' }).trim());
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: target });
  rmSync(tarball);
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
    readonly optionalDependencies?: object;
  };
  for (const name of [...dependenciesOf(target), ...Object.keys(optionalDependencies)]) linkDependency(name, folder);
  const program = join(target, 'dist', 'cli', 'main.js');
  chmodSync(program, 0o755);
  // As npm does, so that the folder can be moved.
  symlinkSync(relative(bin, program), join(bin, 'spoor'));
}

function linkDependency(name: string, folder: string): void {
  const target = join(folder, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), target);
}

function copyDependency(name: string, folder: string): void {
  const target = join(folder, 'node_modules', name);
  if (existsSync(target)) return;
  const source = join(ROOT, 'node_modules', name);
  cpSync(source, target, { recursive: true });
  for (const inner of dependenciesOf(source)) copyDependency(inner, folder);
}

function dependenciesOf(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies);
}

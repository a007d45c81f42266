import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { workingFolder } from '../tracing/source/working-folder.ts';

const LONGEST_NAME = 128;

/**
 * The project of a program that names none: `local/<name in package.json>` of the nearest one at or above `folder`,
 * with `@scope/name` as `scope-name`; without a name, that folder's own name.
 */
export function defaultProject(folder: string = workingFolder() ?? '/'): string {
  const { name, root } = nearestPackage(folder) ?? { name: undefined, root: folder };
  return `local/${toProjectName(name ?? '') || toProjectName(basename(resolve(root))) || 'default'}`;
}

/** The project that a text means: what stands alone is a project of the entity `local`. It may not be one at all. */
export function wholeProject(text: string): string {
  return text.includes('/') ? text : `local/${text}`;
}

function nearestPackage(folder: string): { name: string | undefined; root: string } | undefined {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const text = readIfThere(join(root, 'package.json'));
    if (text !== undefined) return { name: nameIn(text), root };
    if (dirname(root) === root) return undefined;
  }
}

function nameIn(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    // A file that is not JSON is that program's problem, not ours.
    return undefined;
  }
}

function toProjectName(text: string): string {
  const name = text
    .replace(/^@/, '')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return [...name].slice(0, LONGEST_NAME).join('');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** What a copy of a package has to say. */
export async function noticeOf(name: string): Promise<string> {
  const folder = resolve(import.meta.dirname, 'node_modules', name);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no license`);
  return `/*! ${name}\n${(await readFile(resolve(folder, file), 'utf8')).trim()}\n*/`;
}

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findConfigFile } from '../client/find-config-file.ts';

/** The options that somebody wrote into a file instead of typing them each time. */
export interface ConfigFile {
  /** Paths in the file are relative to its folder. */
  readonly folder: string;
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Reads the file that is named, else the one of the folder, if it has one. */
export async function readConfigFile(
  named: string | undefined,
  folder: string = process.cwd(),
): Promise<ConfigFile | undefined> {
  const path = named === undefined ? findConfigFile(folder) : resolve(folder, named);
  if (path === undefined) return undefined;
  const values = await load(path).catch((error: unknown) => {
    throw new Error(`Cannot read "${path}": ${reasonOf(error)}`, { cause: error });
  });
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new Error(`Cannot read "${path}": want an object of options`);
  }
  return { path, folder: dirname(path), values: { ...values } };
}

async function load(path: string): Promise<unknown> {
  if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8'));
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  return module.default;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : error.message;
}

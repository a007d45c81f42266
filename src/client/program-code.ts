import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { Environment } from './variables.ts';
import { findConfigFile } from './find-config-file.ts';

/** Key of the configuration file that belongs to the recording library; all others are those of the service. */
export const CAPTURE_KEY = 'capture';

/** The modules of the program that are to be recorded without being touched. */
export interface ProgramCode {
  /** Patterns and the names of files are relative to it. */
  readonly folder: string;
  readonly patterns: readonly string[];
}

/**
 * Reads `SPOOR_CAPTURE`, else `capture` of the configuration file. Synchronous, as the first module of the program waits
 * for it. Throws an `Error` for what cannot be read, or is no list of patterns.
 */
export function readProgramCode(
  environment: Environment = process.env,
  folder: string = process.cwd(),
): ProgramCode | undefined {
  const text = environment['SPOOR_CAPTURE'];
  if (text) return { folder, patterns: patternsOf(text.split(','), 'SPOOR_CAPTURE') };
  const named = environment['SPOOR_CONFIG'];
  const path = named ? resolve(folder, named) : findConfigFile(folder);
  if (path === undefined) return undefined;
  const value = (load(path) as Readonly<Record<string, unknown>> | null | undefined)?.[CAPTURE_KEY];
  if (value === undefined) return undefined;
  return { folder: dirname(path), patterns: patternsOf(value, `"${CAPTURE_KEY}" of "${path}"`) };
}

function load(path: string): unknown {
  try {
    if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8'));
    const module = createRequire(path)(path) as { readonly default?: unknown };
    return module.default ?? module;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot read "${path}": ${reason}`, { cause: error });
  }
}

function patternsOf(value: unknown, source: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new TypeError(`Cannot use ${source}: want a list of patterns like "src/pipeline/**"`);
  }
  return value.map((each) => each.trim()).filter((each) => each !== '');
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readProgramCode } from '../../client/program-code.ts';
import { isTested, rangeText, TESTED_LIBRARIES, type TestedLibrary } from '../../protocol/process/tested-libraries.ts';
import type { Finding } from './finding.ts';

/** Findings on what is recorded of a program of this folder, and whether capture was tested with its versions. */
export function checkCapture(folder: string): Finding[] {
  const names = Object.keys(TESTED_LIBRARIES) as TestedLibrary[];
  const libraries = names.flatMap((name) => {
    const version = installedVersion(name, folder);
    return version === undefined ? [] : [describe(name, version)];
  });
  return [...libraries, ...programCode(folder)];
}

function programCode(folder: string): Finding[] {
  const about = 'capture';
  try {
    const patterns = readProgramCode(process.env, folder)?.patterns ?? [];
    if (patterns.length === 0) return [];
    const message = `what modules of ${patterns.join(', ')} export is recorded under --import spoor/register`;
    return [{ level: 'ok', about, message }];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ level: 'warning', about, message, advice: 'Write patterns as in "capture": ["src/pipeline/**"]' }];
  }
}

function describe(name: TestedLibrary, version: string): Finding {
  const about = 'capture';
  if (isTested(name, version)) {
    return { level: 'ok', about, message: `${name} ${version} is recorded under --import spoor/register` };
  }
  const message = `${name} ${version} was never tested: tested is ${rangeText(name)}`;
  return { level: 'warning', about, message, advice: `Use a tested version of "${name}", or a newer one of Spoor` };
}

/** As Node looks for a package: in this folder and all above it. */
function installedVersion(name: string, folder: string): string | undefined {
  try {
    const path = join(folder, 'node_modules', name, 'package.json');
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    const above = dirname(folder);
    return above === folder ? undefined : installedVersion(name, above);
  }
}

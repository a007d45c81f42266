import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isTested, rangeText, TESTED_LIBRARIES, type TestedLibrary } from '../../protocol/tested-libraries.ts';
import type { Finding } from './finding.ts';

/** Is what a program of this folder would load among the versions that capture was tested with? */
export function checkCapture(folder: string): Finding[] {
  const names = Object.keys(TESTED_LIBRARIES) as TestedLibrary[];
  return names.flatMap((name) => {
    const version = installedVersion(name, folder);
    return version === undefined ? [] : [describe(name, version)];
  });
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

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Table from 'cli-table3';
import { isTested, rangeText, TESTED_LIBRARIES, type TestedLibrary } from '../src/protocol/process/tested-libraries.ts';
import { compareVersions, installedVersions } from './integrations/installed-versions.ts';

/** What is tested beside the libraries that say their range: what goes with them. */
const COMPANIONS = [
  '@langchain/openai',
  '@langchain/anthropic',
  '@langchain/langgraph',
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/api',
] as const;

const HEAD = ['Library', 'Tested versions', 'Newest tested', 'Newest on npm', ''];

export interface Comparison {
  readonly library: string;
  readonly tested: string;
  /** The newest installed version of each major, and the newest that npm has of it. */
  readonly majors: readonly { readonly installed: string | undefined; readonly published: string }[];
  readonly isNewer: boolean;
}

/** What npm has against what is tested, of majors that are tested and of newer ones. */
export function compareWith(library: string, installed: readonly string[], published: readonly string[]): Comparison {
  const ours = newestOfMajors(installed);
  const theirs = newestOfMajors(published.filter((version) => !version.includes('-')));
  const oldest = ours.size === 0 ? Math.max(...theirs.keys()) : Math.min(...ours.keys());
  const majors = [...theirs]
    .filter(([major]) => major >= oldest)
    .map(([major, newest]) => ({ installed: ours.get(major), published: newest }));
  const isNewer = majors.some(({ installed: own, published: newest }) => {
    return own === undefined || compareVersions(own, newest) < 0 || !isInRange(library, newest);
  });
  return { library, tested: isNamed(library) ? rangeText(library) : 'goes with others', majors, isNewer };
}

function isNamed(library: string): library is TestedLibrary {
  return Object.hasOwn(TESTED_LIBRARIES, library);
}

function isInRange(library: string, version: string): boolean {
  return !isNamed(library) || isTested(library, version);
}

function newestOfMajors(versions: readonly string[]): Map<number, string> {
  return new Map(versions.toSorted(compareVersions).map((version) => [Number.parseInt(version, 10), version]));
}

async function publishedVersions(library: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('npm', ['view', library, 'versions', '--json', '--loglevel=error']);
  const versions = JSON.parse(stdout) as string | string[];
  return [versions].flat();
}

async function main(): Promise<void> {
  const table = new Table({ head: HEAD, style: { head: [], border: [] } });
  let isNewer = false;
  for (const library of [...Object.keys(TESTED_LIBRARIES), ...COMPANIONS]) {
    const installed = installedVersions(library).map(({ version }) => version);
    const found = compareWith(library, installed, await publishedVersions(library));
    isNewer ||= found.isNewer;
    const column = (of: 'installed' | 'published') => found.majors.map((major) => major[of] ?? 'none').join('\n');
    table.push([library, found.tested, column('installed'), column('published'), found.isNewer ? 'newer' : '']);
  }
  process.stdout.write(`${table.toString()}\n`);
  process.exitCode = isNewer ? 1 : 0;
}

// As a program it prints a table, and ends with 1 when npm has a version that is newer than what is tested.
if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

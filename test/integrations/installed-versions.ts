import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../flow/service-process.ts';

/** A version of a library that is installed for the tests. */
export interface InstalledVersion {
  /** The name of its folder: that of the library, or an alias. */
  readonly installedAs: string;
  readonly version: string;
  /** The oldest Node that it runs on, as far as it says. */
  readonly nodeMajor: number;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** All installed versions of a library, the oldest first. */
export function installedVersions(library: string): readonly InstalledVersion[] {
  const { dependencies, devDependencies } = packageIn(ROOT);
  return Object.keys({ ...dependencies, ...devDependencies })
    .map((installedAs) => ({ installedAs, ...packageIn(join(ROOT, 'node_modules', installedAs)) }))
    .filter(({ name }) => name === library)
    .map(({ installedAs, version, engines }) => ({ installedAs, version, nodeMajor: nodeMajorOf(engines?.node) }))
    .toSorted((one, other) => compareVersions(one.version, other.version));
}

export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** Why a version cannot be tested here; `undefined` where it can. */
export function whyNotHere({ nodeMajor }: InstalledVersion): string | undefined {
  const running = Number.parseInt(process.versions.node, 10);
  return running < nodeMajor ? `needs Node ${nodeMajor} or newer, and this is ${process.version}` : undefined;
}

function nodeMajorOf(range = ''): number {
  return Number(/>=\s*(\d+)/.exec(range)?.[1] ?? 0);
}

function packageIn(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
}

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { builtin } from '../../host/builtin.ts';
import { pidNamespace, startTicks } from '../../host/process-mark.ts';
import { isGitTold, isHostTold } from '../../host/recorded-facts.ts';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { workingFolder } from '../source/working-folder.ts';

let known: Readonly<Record<string, unknown>> | undefined;

/** Attributes of root calls on the process, read once at the first of them. Nothing is spawned. */
export function processAttributes(): Readonly<Record<string, unknown>> {
  return (known ??= readProcess());
}

function readProcess(): Readonly<Record<string, unknown>> {
  const here = workingFolder();
  const { hostname, platform, release, version } = builtin('node:os');
  return {
    client_version: PACKAGE_VERSION,
    source: 'js-sdk',
    os_name: platform(),
    os_release: release(),
    os_version: version(),
    sys_version: runtimeOf(process.versions),
    ...named('host', isHostTold() ? hostname() : undefined),
    pid: process.pid,
    ...numbered('pid_started', startTicks(process.pid)),
    ...numbered('pid_namespace', pidNamespace()),
    ...named('package', here && packageOf(here)),
    ...named('git_commit', isGitTold() ? ((here && gitCommitOf(here)) ?? commitOfBuild(process.env)) : undefined),
  };
}

/** Others than Node say of which Node they have the modules, too. */
function runtimeOf({ bun, deno, node }: NodeJS.ProcessVersions): string {
  if (bun !== undefined) return `bun ${bun}`;
  return deno === undefined ? `node ${node}` : `deno ${deno}`;
}

function named(key: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [key]: value };
}

function numbered(key: string, value: number | undefined): Record<string, number> {
  return value === undefined ? {} : { [key]: value };
}

/** `<name>@<version>` of the nearest package.json. */
function packageOf(folder: string): string | undefined {
  const text = readUpwards(folder, 'package.json');
  if (text === undefined) return undefined;
  try {
    const { name, version } = JSON.parse(text) as { name?: unknown; version?: unknown };
    if (typeof name !== 'string') return undefined;
    return typeof version === 'string' ? `${name}@${version}` : name;
  } catch {
    return undefined;
  }
}

/** The commit that is checked out, read from the files of git; `undefined` outside a repository. */
export function gitCommitOf(folder: string): string | undefined {
  const folders = gitFoldersOf(folder);
  if (folders === undefined) return undefined;
  const { own, common } = folders;
  const head = read(join(own, 'HEAD'))?.trim() ?? '';
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  if (ref === undefined) return commit(head);
  return commit(read(join(own, ref)) ?? read(join(common, ref)) ?? packedRef(common, ref));
}

/** Where git keeps what it knows of the work tree around a folder; branches and settings of a linked one are kept by the main one. */
interface GitFolders {
  /** The top of the work tree. */
  readonly tree: string;
  readonly own: string;
  readonly common: string;
}

export function gitFoldersOf(folder: string): GitFolders | undefined {
  for (const tree of upwards(folder)) {
    const own = gitFolderIn(tree);
    if (own !== undefined) return { tree, own, common: resolve(own, read(join(own, 'commondir'))?.trim() ?? '.') };
  }
  return undefined;
}

/** Where platforms say which commit they have built, as `.git` rarely gets into an image. */
const COMMIT_VARIABLES = [
  'GIT_COMMIT',
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'VERCEL_GIT_COMMIT_SHA',
  'RENDER_GIT_COMMIT',
  'RAILWAY_GIT_COMMIT_SHA',
  'HEROKU_SLUG_COMMIT',
  'CF_PAGES_COMMIT_SHA',
  'SOURCE_VERSION',
];

export function commitOfBuild(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return COMMIT_VARIABLES.map((name) => commit(environment[name])).find((found) => found !== undefined);
}

function gitFolderIn(tree: string): string | undefined {
  const path = join(tree, '.git');
  if (read(join(path, 'HEAD')) !== undefined) return path;
  const linked = /^gitdir: (.+)$/m.exec(read(path) ?? '')?.[1];
  return linked === undefined ? undefined : resolve(tree, linked);
}

function packedRef(git: string, ref: string): string | undefined {
  const line = read(join(git, 'packed-refs'))
    ?.split('\n')
    .find((candidate) => candidate.endsWith(` ${ref}`));
  return line?.split(' ')[0];
}

function commit(text: string | undefined): string | undefined {
  return /^[0-9a-f]{40,64}$/.exec(text?.trim() ?? '')?.[0];
}

function readUpwards(folder: string, name: string): string | undefined {
  for (const parent of upwards(folder)) {
    const text = read(join(parent, name));
    if (text !== undefined) return text;
  }
  return undefined;
}

function* upwards(folder: string): Generator<string> {
  let at = folder;
  yield at;
  while (dirname(at) !== at) {
    at = dirname(at);
    yield at;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

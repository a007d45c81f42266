import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { builtin } from '../host/builtin.ts';
import { clearTimeout, setTimeout } from '../host/timers.ts';
import { gitFoldersOf } from '../tracing/record/process-attributes.ts';
import { untraced } from '../tracing/wrap/untraced.ts';

/** A repository that takes git longer has no answer. */
const TIMEOUT_MS = 2000;

/**
 * Files that git does not know are no part of what is committed, and would have to be looked for everywhere. Renames would have to be
 * found in contents, which a partial clone fetches. A repository may name a program that tells git what has changed.
 */
const ARGUMENTS = [
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'safe.bareRepository=explicit',
  'status',
  '--porcelain',
  '--untracked-files=no',
  '--ignore-submodules=dirty',
  '--no-renames',
];

/**
 * Are files of the repository changed that git knows, in a work tree around `folder`? No program is started but git, which asks nobody
 * for anything. Never rejects, never keeps the process alive; `undefined` where git is not there, may not be started, would start
 * others, or does not answer in time.
 */
export function areFilesChanged(folder: string, timeoutMs = TIMEOUT_MS): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    try {
      const tree = mayStartGit() ? harmlessTreeAround(folder) : undefined;
      const path = tree === undefined ? undefined : gitPath(process.env);
      if (tree === undefined || path === undefined) return resolve(undefined);
      watch(
        untraced(() => startGit(path, tree)),
        timeoutMs,
        resolve,
      );
    } catch {
      // A permission model, a limit of processes: then it is not known.
      resolve(undefined);
    }
  });
}

interface Deno {
  readonly permissions: {
    querySync(wanted: { readonly name: 'run'; readonly command: string }): { readonly state: string };
  };
}

/** Deno would ask the person at the terminal, and the program would wait for that. */
function mayStartGit(): boolean {
  const { Deno } = globalThis as { readonly Deno?: Deno };
  return Deno === undefined || Deno.permissions.querySync({ name: 'run', command: 'git' }).state === 'granted';
}

/**
 * The top of the work tree around a folder, where git, too, takes it for one, and its repository, which somebody else may have made,
 * names no programs that git starts for the contents of files, no files that do, and no other work tree. Settings of the user and the
 * machine are left out when git is started. Started there, git looks for nothing further in or further out.
 */
function harmlessTreeAround(folder: string): string | undefined {
  const folders = gitFoldersOf(folder);
  if (folders === undefined) return undefined;
  const { tree, own, common } = folders;
  const isRepository = [join(own, 'HEAD'), join(common, 'objects'), join(common, 'refs')].every((path) =>
    existsSync(path),
  );
  const settings = [join(common, 'config'), join(own, 'config.worktree')].filter((path) => existsSync(path));
  return isRepository && settings.every(isHarmless) ? tree : undefined;
}

const MAX_SETTINGS_BYTES = 1024 * 1024;

function isHarmless(settings: string): boolean {
  const about = statSync(settings);
  if (!about.isFile() || about.size > MAX_SETTINGS_BYTES) return false;
  return !/\[\s*(?:filter|include)|promisor|partialclone|\bworktree\s*=/i.test(readFileSync(settings, 'latin1'));
}

/** Where git is, among the folders that have a full path: systems may look in the working folder, too, which has anybody's files. */
function gitPath({ PATH, Path }: NodeJS.ProcessEnv): string | undefined {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const folders = (PATH ?? Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each));
  // Without the tools of developers it is a program that offers to install them.
  const isOffer = process.platform === 'darwin' && path === '/usr/bin/git' && !DEVELOPER_TOOLS.some(existsSync);
  return isOffer ? undefined : path;
}

const DEVELOPER_TOOLS = ['/Library/Developer/CommandLineTools', '/Applications/Xcode.app'];

function startGit(path: string, cwd: string): ChildProcess {
  return builtin('node:child_process').spawn(path, ARGUMENTS, {
    cwd,
    env: { ...environmentOf(process.env), GIT_CEILING_DIRECTORIES: dirname(cwd) },
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
}

/** A hook of git, and what it starts, is told of another index or work tree than the one around its folder. */
function environmentOf(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(others),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: builtin('node:os').devNull,
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GCM_INTERACTIVE: 'never',
  };
}

function watch(git: ChildProcess, timeoutMs: number, tell: (areChanged: boolean | undefined) => void): void {
  let isEnded = false;
  const end = (areChanged: boolean | undefined) => {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    tell(areChanged);
    git.kill('SIGKILL');
  };
  const timer = setTimeout(() => end(undefined), timeoutMs).unref();
  const { stdout } = git;
  git.unref();
  // A pipe is a handle of its own; the type is that of any stream.
  (stdout as { unref?: () => void } | null)?.unref?.();
  // Each time: an error that nobody listens for ends the program. Ending what has ended may fail, too.
  git.on('error', () => end(undefined));
  stdout?.on('error', () => end(undefined));
  // One line is enough.
  stdout?.once('data', () => end(true));
  git.once('close', (code) => end(code === 0 ? false : undefined));
}

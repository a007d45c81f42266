// docs/decisions/0051-runs.md says why.
import { builtin } from '../host/builtin.ts';
import { Date } from '../host/clock.ts';
import { bootId, pidNamespace, startTicks } from '../host/process-mark.ts';
import { chance } from '../host/random.ts';
import { isGitTold } from '../host/recorded-facts.ts';
import { clearTimeout, setTimeout } from '../host/timers.ts';
import { formatRun, type ProcessRun } from '../protocol/process-run.ts';
import { PACKAGE_VERSION } from '../protocol/version.ts';
import type { OwnRun } from '../delivery/own-run.ts';
import { gitCommitOf, processAttributes } from '../tracing/record/process-attributes.ts';
import { workingFolder } from '../tracing/source/working-folder.ts';

/** How long somebody who flushes waits for the word of git, once and not for longer than for a part of his time. */
const WAIT_MS = 50;
const WAIT_SHARE = 0.25;

/** The run of this process: of all its threads, and of all copies of this package in it. */
export class RunOfProcess implements OwnRun {
  readonly #mayAskGit: boolean;
  #facts: ProcessRun | undefined;
  #isDirty: boolean | undefined;
  /** Header with what is known. */
  #text: string | undefined;
  #asked: Promise<void> | undefined;
  #isAnswered = false;
  #hasWaited = false;

  /** `mayAskGit`: may a process of git be started? */
  constructor({ mayAskGit }: { readonly mayAskGit: boolean }) {
    this.#mayAskGit = mayAskGit;
    // Threads may be started before anything is recorded.
    if (process.platform !== 'linux') runId();
  }

  begin(): void {
    if (this.#mayAskGit && isGitTold()) this.#asked ??= this.#askGit();
  }

  text(): string {
    this.#facts ??= readFacts();
    return (this.#text ??= formatRun({ ...this.#facts, isDirty: this.#isDirty }));
  }

  async known(timeoutMs: number): Promise<void> {
    if (this.#asked === undefined || this.#isAnswered || this.#hasWaited) return;
    this.#hasWaited = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(WAIT_MS, timeoutMs * WAIT_SHARE));
    });
    await Promise.race([this.#asked, late]);
    clearTimeout(timer);
  }

  async #askGit(): Promise<void> {
    // Not in the turn of the program that records its first call.
    await new Promise<void>((resolve) => setTimeout(resolve, 0).unref());
    const folder = workingFolder();
    if (folder !== undefined && gitCommitOf(folder) !== undefined) {
      // Once for a process, however often recording is started in it.
      this.#isDirty = await (answer ??= askGit(folder));
    }
    if (this.#isDirty !== undefined) this.#text = undefined;
    this.#isAnswered = true;
  }
}

let answer: Promise<boolean | undefined> | undefined;

/** Its code is loaded by those that ask: an import of the package is to read little. */
async function askGit(folder: string): Promise<boolean | undefined> {
  try {
    return await (await import('./changed-files.ts')).areFilesChanged(folder);
  } catch {
    // Where a bundler has left the file out, it is not known.
    return undefined;
  }
}

function readFacts(): ProcessRun {
  const { host, git_commit: commit } = processAttributes();
  return {
    id: runId(),
    startedAt: Math.round(Date.now() - process.uptime() * 1000) * 1000,
    pid: process.pid,
    host: textOf(host),
    version: PACKAGE_VERSION,
    commit: textOf(commit),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Under which threads are told the id of the run, where it cannot be computed. */
const SHARED_KEY = 'spoor.run';

/**
 * Threads compute the same id, and so do copies of this package: where Linux says when a process began there is no other of
 * its number, namespace and beginning on the same start of a machine. Elsewhere chance makes it when recording is set up, and threads
 * that are started later are told.
 */
function runId(): string {
  const { pid } = process;
  const [boot, started] = [bootId(), startTicks(pid)];
  if (boot !== undefined && started !== undefined) {
    // Machines that are copied while they run have the same start, and functions of one platform the same name.
    const instance = process.env['AWS_LAMBDA_LOG_STREAM_NAME'] ?? '';
    return idOf([boot, builtin('node:os').hostname(), instance, pidNamespace() ?? '', pid, started].join(' '));
  }
  const threads = builtin('node:worker_threads');
  const shared: unknown = threads.getEnvironmentData(SHARED_KEY);
  if (typeof shared === 'string') return shared;
  const own = `p${chance().randomBytes(8).toString('hex')}`;
  threads.setEnvironmentData(SHARED_KEY, own);
  return own;
}

function idOf(text: string): string {
  return `p${builtin('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

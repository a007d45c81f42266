import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createReader } from 'spoor/reader';
import { Random } from '../chaos/random.ts';
import { type Fault, FaultProxy } from '../fault-proxy.ts';
import { environmentOf, runCli, type ServiceProcess, startServiceProcess } from '../service-process.ts';

const PROGRAM = fileURLToPath(new URL('program.js', import.meta.url));

/** Ways to end, with what the parent may see of it: exit code or signal. */
const WAYS = {
  end: [0],
  exit: [7],
  throw: [1],
  reject: [1],
  SIGTERM: ['SIGTERM'],
  SIGINT: ['SIGINT'],
  SIGHUP: ['SIGHUP'],
  abort: ['SIGABRT'],
  SIGKILL: ['SIGKILL'],
  // As a container or the runner of a test does it that has no patience.
  'SIGTERM, SIGKILL': ['SIGTERM', 'SIGKILL'],
  'SIGINT, SIGKILL': ['SIGINT', 'SIGKILL'],
} as const satisfies Record<string, readonly (number | NodeJS.Signals)[]>;

export type Way = keyof typeof WAYS;

export type Durability = 'exit' | 'crash';

/** What ends in these ways has no moment to write anything, or none after the first signal. */
const SUDDEN: ReadonlySet<Way> = new Set(['abort', 'SIGKILL', 'SIGTERM, SIGKILL', 'SIGINT, SIGKILL']);

/** Longest times between two signals, in milliseconds: some less than delivery takes, one more. */
const PAUSES = [0, 20, 100, 400, 1200];

const FAULTS: readonly Fault[] = [
  { kind: 'answer', status: 429, headers: { 'retry-after': '1' } },
  { kind: 'answer', status: 500 },
  { kind: 'answer', status: 503 },
  { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' },
  { kind: 'delay', ms: 200 },
  { kind: 'resetRequest' },
  { kind: 'halfAnswer' },
  { kind: 'lostAnswer' },
  { kind: 'hang' },
];

/** How long the spool of a round may take to be delivered, in milliseconds. */
const DRAIN_MS = 120_000;

export interface RoundResult {
  readonly way: Way;
  readonly runMs: number;
  /**
   * Calls that had ended: where the end is sudden, before the first signal was handled, and where records are written ahead,
   * before the last turn.
   */
  readonly recorded: number;
  /** Of these, what the service does not have, or not as ended. */
  readonly lost: readonly string[];
  /** Calls that the service has twice. */
  readonly doubled: readonly string[];
  /** Had the program no moment to write anything, and nothing written ahead? Then a loss is counted, and no fault. */
  readonly mayLose: boolean;
  readonly durability: Durability;
  /** What else went wrong, in words. */
  readonly problems: readonly string[];
}

export interface Given {
  readonly way?: Way;
  readonly durability?: Durability;
  /** Does the second signal wait until the program has seen the first? Else chance decides how soon it comes. */
  readonly isWarned?: boolean;
}

/** Runs programs that end in all ways, beside a service that fails and restarts, and looks for every call they made. */
export class ClientChaos {
  readonly #home: string;
  readonly #programHome: string;
  readonly #random: Random;
  #round = 0;
  #service: ServiceProcess | undefined;

  /** The service and the programs have state folders of their own: here only the programs deliver what they left. */
  constructor({ home, programHome, seed }: { home: string; programHome: string; seed: number }) {
    this.#home = home;
    this.#programHome = programHome;
    this.#random = new Random(seed);
  }

  /** Chance decides what is not given. */
  async runRound(given: Given = {}): Promise<RoundResult> {
    const round = this.#round++;
    const way = given.way ?? this.#random.pick(Object.keys(WAYS) as Way[]) ?? 'end';
    const durability = given.durability ?? (this.#random.isTrue(0.5) ? 'crash' : 'exit');
    const project = `chaos/client-${round}`;
    const runMs = this.#random.between(0, 1500);
    const ledger = join(this.#programHome, `ledger-${round}`);
    let service = (this.#service ??= await startServiceProcess(this.#home));
    const proxy = await FaultProxy.start(service.url);
    try {
      const chance = this.#random.pick([0, 0.1, 0.5, 1]) ?? 0;
      proxy.plan = () => (this.#random.isTrue(chance) ? this.#random.pick(FAULTS) : undefined);
      const env = { ...this.#environment(proxy, service, project), SPOOR_DURABILITY: durability };
      const program = this.#start(env, { ledger, way, runMs, workers: this.#random.between(1, 4), pauseMs: 5 }, given);
      if (this.#random.isTrue(0.4)) {
        await sleep(this.#random.between(0, runMs));
        await service.stop(this.#random.isTrue(0.5) ? 'SIGKILL' : 'SIGTERM');
        this.#service = undefined;
        service = this.#service = await startServiceProcess(this.#home);
        proxy.redirectTo(service.url);
      }
      const problems = await program.problems;
      proxy.plan = () => undefined;
      problems.push(...(await this.#deliverOrphans(env)));
      const { ids: noted, isWarned } = notedIn(ledger, { isSudden: SUDDEN.has(way), durability });
      const mayLose = SUDDEN.has(way) && durability === 'exit' && !isWarned;
      return { way, runMs, durability, ...(await this.#compare(service, project, noted)), mayLose, problems };
    } finally {
      await proxy.close();
    }
  }

  /** Stops the service, which the next round would go on with. */
  async close(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }

  #environment(proxy: FaultProxy, service: ServiceProcess, project: string): NodeJS.ProcessEnv {
    return {
      ...environmentOf(this.#programHome),
      SPOOR_URL: proxy.url,
      SPOOR_API_KEY: service.apiKey,
      SPOOR_PROJECT: project,
      SPOOR_TIMEOUT_MS: '500',
    };
  }

  #start(
    env: NodeJS.ProcessEnv,
    options: { way: Way; ledger: string; [option: string]: unknown },
    { isWarned = false }: Given = {},
  ) {
    const child = fork(PROGRAM, [JSON.stringify(options)], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const { way, ledger } = options;
    const pauseMs = this.#random.between(0, this.#random.pick(PAUSES) ?? 0);
    const pause = isWarned ? () => untilWarned(child, ledger) : () => sleep(pauseMs);
    // Told when, because the clock of the program starts when it has been loaded.
    child.once('message', () => void killWith(child, way.split(', ') as NodeJS.Signals[], pause));
    return { problems: problemsOfEnd(child, way) };
  }

  /**
   * The next program of the same target delivers what others left. On a loaded machine the time of its end may be too short
   * for that and for what it records itself.
   */
  async #deliverOrphans(env: NodeJS.ProcessEnv): Promise<string[]> {
    const deadline = performance.now() + DRAIN_MS;
    const ledger = join(this.#programHome, 'ledger-of-drain');
    const options = { ledger, way: 'end', runMs: 300, workers: 1, pauseMs: 100 } as const;
    const problems = this.#spooled().length > 0 ? await this.#start(env, options).problems : [];
    while (this.#spooled().length > 0) {
      if (performance.now() > deadline) return [...problems, `the spool still holds ${this.#spooled().join(', ')}`];
      const { SPOOR_URL: url = '', SPOOR_API_KEY: key = '' } = env;
      await runCli(this.#programHome, 'drain', '--url', url, '--key', key);
    }
    return problems;
  }

  #spooled(): string[] {
    const folder = join(this.#programHome, 'spool');
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  async #compare({ url, apiKey }: ServiceProcess, project: string, recorded: readonly string[]) {
    const times = new Map<string, number>();
    const ended = new Set<string>();
    for await (const { id, ended_at } of createReader({ url, apiKey, project }).calls.query({})) {
      times.set(id, (times.get(id) ?? 0) + 1);
      if (ended_at !== null) ended.add(id);
    }
    return {
      recorded: recorded.length,
      lost: recorded.filter((id) => !ended.has(id)),
      doubled: [...times].filter(([, count]) => count > 1).map(([id]) => id),
    };
  }
}

/** A process that has ended takes no further signal. */
async function killWith(
  child: ChildProcess,
  signals: readonly NodeJS.Signals[],
  pause: () => Promise<void>,
): Promise<void> {
  for (const [index, signal] of signals.entries()) {
    if (index > 0) await pause();
    child.kill(signal);
  }
}

/** Until the program has handled the first signal, or has ended. */
async function untilWarned(child: ChildProcess, ledger: string): Promise<void> {
  const isWarned = () => readFileSync(ledger, 'utf8').split('\n').includes('!');
  while (child.exitCode === null && child.signalCode === null && !isWarned()) await sleep(1);
}

/** Ids in the ledger that must not be lost, and whether a signal was handled. */
function notedIn(ledger: string, { isSudden, durability }: { isSudden: boolean; durability: Durability }) {
  const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
  const ids = lines.filter((line) => !/^[=!]/.test(line));
  const warnedAt = lines.indexOf('!');
  const isWarned = warnedAt !== -1;
  if (!isSudden || (durability === 'exit' && !isWarned)) return { ids, isWarned };
  const beforeSignal = lines.slice(0, Math.max(warnedAt, 0)).filter((line) => !line.startsWith('=')).length;
  // From the signal on records are written ahead whatever was chosen.
  const lastTurn = lines.findLast((line) => line.startsWith('=')) ?? '=0';
  return { ids: ids.slice(0, Math.max(beforeSignal, Number(lastTurn.slice(1)))), isWarned };
}

async function problemsOfEnd(child: ChildProcess, way: Way): Promise<string[]> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const expected: readonly unknown[] = WAYS[way];
  if (expected.includes(code ?? signal)) return [];
  return [`ended with ${code ?? signal} instead of ${expected.join(' or ')}: ${stderr.slice(0, 2000)}`];
}

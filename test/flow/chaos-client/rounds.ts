import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createReader } from 'spoor/reader';
import { Random } from '../chaos/random.ts';
import { type Fault, FaultProxy } from '../fault-proxy.ts';
import { environmentOf, type ServiceProcess, startServiceProcess } from '../service-process.ts';

const PROGRAM = fileURLToPath(new URL('program.js', import.meta.url));

/** Ways to end, with what the parent sees of it. */
const WAYS = {
  end: { code: 0, signal: null },
  exit: { code: 7, signal: null },
  throw: { code: 1, signal: null },
  reject: { code: 1, signal: null },
  SIGTERM: { code: null, signal: 'SIGTERM' },
  SIGINT: { code: null, signal: 'SIGINT' },
  abort: { code: null, signal: 'SIGABRT' },
  SIGKILL: { code: null, signal: 'SIGKILL' },
} as const;

export type Way = keyof typeof WAYS;

export type Durability = 'exit' | 'crash';

/** What ends in these ways has no moment to write anything. */
const SUDDEN: ReadonlySet<Way> = new Set(['abort', 'SIGKILL']);

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
const DRAIN_MS = 60_000;

export interface RoundResult {
  readonly way: Way;
  readonly runMs: number;
  /** Calls that had ended; where records are written ahead and the end is sudden, before the last turn. */
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

/** Runs programs that end in all ways, beside a service that fails and restarts, and looks for every call they made. */
export class ClientChaos {
  readonly #home: string;
  readonly #programHome: string;
  readonly #random: Random;
  #round = 0;

  /** The service and the programs have state folders of their own: here only the programs deliver what they left. */
  constructor({ home, programHome, seed }: { home: string; programHome: string; seed: number }) {
    this.#home = home;
    this.#programHome = programHome;
    this.#random = new Random(seed);
  }

  /** Chance decides what is not given. */
  async runRound(given: { readonly way?: Way; readonly durability?: Durability } = {}): Promise<RoundResult> {
    const round = this.#round++;
    const way = given.way ?? this.#random.pick(Object.keys(WAYS) as Way[]) ?? 'end';
    const durability = given.durability ?? (this.#random.isTrue(0.5) ? 'crash' : 'exit');
    const project = `chaos/client-${round}`;
    const runMs = this.#random.between(0, 1500);
    const ledger = join(this.#programHome, `ledger-${round}`);
    let service = await startServiceProcess(this.#home);
    const proxy = await FaultProxy.start(service.url);
    try {
      const chance = this.#random.pick([0, 0.1, 0.5, 1]) ?? 0;
      proxy.plan = () => (this.#random.isTrue(chance) ? this.#random.pick(FAULTS) : undefined);
      const env = { ...this.#environment(proxy, service, project), SPOOR_DURABILITY: durability };
      const program = this.#start(env, { ledger, way, runMs, workers: this.#random.between(1, 4), pauseMs: 5 });
      if (this.#random.isTrue(0.4)) {
        await sleep(this.#random.between(0, runMs));
        await service.stop(this.#random.isTrue(0.5) ? 'SIGKILL' : 'SIGTERM');
        service = await startServiceProcess(this.#home);
        proxy.redirectTo(service.url);
      }
      const problems = await program.problems;
      proxy.plan = () => undefined;
      problems.push(...(await this.#deliverLeftOvers(env)));
      const noted = notedIn(ledger, { isUpToLastTurn: SUDDEN.has(way) && durability === 'crash' });
      const mayLose = SUDDEN.has(way) && durability === 'exit';
      return { way, runMs, durability, ...(await this.#compare(service, project, noted)), mayLose, problems };
    } finally {
      await proxy.close();
      await service.stop();
    }
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

  #start(env: NodeJS.ProcessEnv, options: { way: Way; ledger: string; [option: string]: unknown }) {
    const child = fork(PROGRAM, [JSON.stringify(options)], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const { way } = options;
    // Told when, because the clock of the program starts when it has been loaded.
    child.once('message', () => child.kill(way as NodeJS.Signals));
    return { problems: problemsOfEnd(child, way) };
  }

  /** The next program of the same target delivers what others left. */
  async #deliverLeftOvers(env: NodeJS.ProcessEnv): Promise<string[]> {
    const deadline = performance.now() + DRAIN_MS;
    const ledger = join(this.#programHome, 'ledger-of-drain');
    while (this.#spooled().length > 0) {
      if (performance.now() > deadline) return [`the spool still holds ${this.#spooled().join(', ')}`];
      const options = { ledger, way: 'end', runMs: 300, workers: 1, pauseMs: 100 } as const;
      const problems = await this.#start(env, options).problems;
      if (problems.length > 0) return problems;
    }
    return [];
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

/** Ids in the ledger: all, or those of turns that were over. */
function notedIn(ledger: string, { isUpToLastTurn }: { readonly isUpToLastTurn: boolean }): string[] {
  const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
  const ids = lines.filter((line) => !line.startsWith('='));
  if (!isUpToLastTurn) return ids;
  const lastTurn = lines.findLast((line) => line.startsWith('=')) ?? '=0';
  return ids.slice(0, Number(lastTurn.slice(1)));
}

async function problemsOfEnd(child: ChildProcess, way: Way): Promise<string[]> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const expected = WAYS[way];
  if (code === expected.code && signal === expected.signal) return [];
  return [`ended with ${code ?? signal} instead of ${expected.code ?? expected.signal}: ${stderr.slice(0, 2000)}`];
}

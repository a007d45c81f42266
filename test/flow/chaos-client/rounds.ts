import { fork } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createReader } from 'spoor/reader';
import { Random } from '../chaos/random.ts';
import { type Fault, FaultProxy } from '../fault-proxy.ts';
import { environmentOf, runCli, type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { type Ledger, readLedger } from './ledger.ts';
import { describeMoment, type Moment, momentOf, problemsOfMoment, type SentSignals } from './moment.ts';
import { killWith, problemsOfEnd, untilWarned, type Way, WAYS } from './ways.ts';

export type { Way } from './ways.ts';

const PROGRAM = fileURLToPath(new URL('program.js', import.meta.url));

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
  /** Had the program no moment to write everything, and nothing written ahead? Then a loss is counted, and no fault. */
  readonly mayLose: boolean;
  /** What it could do between two signals, where it got two. */
  readonly moment: Moment | undefined;
  /** The same in words. */
  readonly said: string | undefined;
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
      const written = readLedger(ledger);
      const sent = program.sent();
      problems.push(...(sent ? problemsOfMoment(written, sent) : []));
      const mayLose = SUDDEN.has(way) && durability === 'exit' && momentOf(written) !== 'whole';
      const found = await this.#compare(service, project, recordedIn(written, { isSudden: SUDDEN.has(way), mayLose }));
      const moment = sent && momentOf(written);
      return {
        way,
        runMs,
        durability,
        ...found,
        mayLose,
        moment,
        said: sent && describeMoment(written, sent),
        problems,
      };
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
    let sent: SentSignals | undefined;
    child.once('message', () => {
      void killWith(child, way.split(', ') as NodeJS.Signals[], pause).then((signals) => (sent = signals));
    });
    return { problems: problemsOfEnd(child, way), sent: () => sent };
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

/** Calls that must not be lost, or, where any may be, all. */
function recordedIn({ ids, turns, signal }: Ledger, { isSudden, mayLose }: { isSudden: boolean; mayLose: boolean }) {
  if (!isSudden || mayLose) return ids;
  // From the signal on records are written ahead whatever was chosen.
  const handled = signal?.handledAt === undefined ? 0 : signal.ids;
  return ids.slice(0, Math.max(handled, turns.at(-1)?.ids ?? 0));
}

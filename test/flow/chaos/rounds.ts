import { setTimeout as sleep } from 'node:timers/promises';
import { runCli, type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { Ledger } from './ledger.ts';
import { observe } from './observe.ts';
import { Random } from './random.ts';
import { askOf, send } from './send.ts';
import { type Writer, WRITERS } from './writers.ts';

/** Writers of each kind that write at once. */
const WRITERS_PER_KIND = 2;

/** After so many rounds writing goes on in a new project, so that the time of a round does not grow. */
const ROUNDS_PER_PROJECT = 10;

/** The longest load of a round, unless it is told otherwise. */
const MAX_LOAD_MS = 2500;

interface ActiveWriter {
  readonly kind: string;
  readonly next: Writer;
  readonly ledger: Ledger;
}

interface Generation {
  readonly project: string;
  readonly writers: readonly ActiveWriter[];
}

export interface RoundResult {
  readonly killedAfterMs: number;
  /** Requests by kind that were answered with success. */
  readonly acknowledged: ReadonlyMap<string, number>;
  /** Requests that were on their way when the service was killed, and were done or not done as a whole. */
  readonly done: number;
  readonly notDone: number;
  readonly things: number;
  readonly problems: readonly string[];
}

/** Loads a service with all kinds of writes, kills it, and looks whether everything is as it was acknowledged. */
export class Chaos {
  readonly #home: string;
  readonly #maxLoadMs: number;
  readonly #random: Random;
  readonly #generations: Generation[] = [];
  #round = 0;

  constructor(home: string, seed: number, maxLoadMs = MAX_LOAD_MS) {
    this.#home = home;
    this.#maxLoadMs = maxLoadMs;
    this.#random = new Random(seed);
  }

  async runRound(): Promise<RoundResult> {
    const generation = this.#generation();
    this.#round++;
    const killedAfterMs = this.#random.between(20, this.#maxLoadMs);
    const loaded = await this.#load(generation, killedAfterMs);
    // Half of the checks see the file as the kill has left it, the others after the service has put it in order.
    const isCheckedFirst = this.#random.isTrue(0.5);
    const problems = isCheckedFirst ? await this.#check() : [];
    if (this.#random.isTrue(0.1)) await this.#killStart();
    const service = await startServiceProcess(this.#home);
    try {
      const verified = await verify(service, generation);
      const checked = isCheckedFirst ? [] : await this.#check();
      return {
        killedAfterMs,
        ...loaded,
        ...verified,
        problems: [...loaded.problems, ...problems, ...verified.problems, ...checked],
      };
    } finally {
      // Without anything to do it may be killed too; then the next round begins with a log that nobody folded.
      await service.stop(this.#random.isTrue(0.5) ? 'SIGKILL' : 'SIGTERM');
    }
  }

  /** Looks at everything that was ever written once more. */
  async verifyAll(): Promise<{ readonly things: number; readonly problems: readonly string[] }> {
    const service = await startServiceProcess(this.#home);
    try {
      const results = [];
      for (const generation of this.#generations) results.push(await verify(service, generation));
      const problems = [...results.flatMap((result) => result.problems), ...(await this.#check())];
      return { things: results.reduce((sum, result) => sum + result.things, 0), problems };
    } finally {
      await service.stop();
    }
  }

  async #load(generation: Generation, ms: number) {
    const service = await startServiceProcess(this.#home);
    const acknowledged = new Map<string, number>();
    const problems: string[] = [];
    const writing = generation.writers.map(async ({ kind, next, ledger }) => {
      const count = await writeUntilDeath(service, next, ledger, problems);
      acknowledged.set(kind, (acknowledged.get(kind) ?? 0) + count);
    });
    await sleep(ms);
    await service.stop('SIGKILL');
    await Promise.all(writing);
    return { acknowledged, problems };
  }

  /** Kills a service that is just starting, perhaps while it puts the database in order. */
  async #killStart(): Promise<void> {
    const starting = startServiceProcess(this.#home, [], {
      killed: AbortSignal.timeout(this.#random.between(50, 400)),
    });
    const service = await starting.catch(() => undefined);
    await service?.stop('SIGKILL');
  }

  async #check(): Promise<string[]> {
    const { code, stdout, stderr } = await runCli(this.#home, 'check');
    return code === 0 ? [] : [`the check failed: ${stderr}${stdout}`];
  }

  #generation(): Generation {
    const current = this.#generations.at(-1);
    if (current !== undefined && this.#round % ROUNDS_PER_PROJECT !== 0) return current;
    const number = this.#generations.length;
    const made = newGeneration(`acme/chaos-${number}`, `g${number}`, this.#random);
    this.#generations.push(made);
    return made;
  }
}

function newGeneration(project: string, name: string, random: Random): Generation {
  const writers = Object.entries(WRITERS).flatMap(([kind, open], kindIndex) =>
    Array.from({ length: WRITERS_PER_KIND }, (_, index) => {
      const ledger = new Ledger();
      const prefix = `${name}-${kindIndex}-${index}`;
      return { kind, ledger, next: open({ project, prefix, ledger, random: new Random(random.between(0, 2 ** 31)) }) };
    }),
  );
  return { project, writers };
}

/** How many requests were acknowledged. */
async function writeUntilDeath(
  service: ServiceProcess,
  next: Writer,
  ledger: Ledger,
  problems: string[],
): Promise<number> {
  for (let count = 0; ; count++) {
    const step = next();
    ledger.begin(step.changes);
    const answer = await send(service, step);
    // It is dead. Whether it had done what it did not answer, its successor says.
    if (answer === undefined) return count;
    if (answer.status === 200) {
      ledger.acknowledge();
      step.onAcknowledged?.(answer.body);
    } else {
      ledger.refuse();
      if (answer.status !== 429) problems.push(`${step.path} was answered with ${answer.status}: ${answer.text}`);
    }
  }
}

async function verify(service: ServiceProcess, { project, writers }: Generation) {
  const keys = writers.flatMap(({ ledger }) => ledger.keys);
  const seen = await observe(askOf(service), project, keys);
  const settled = writers.map(({ ledger }) => ledger.settle(seen));
  const known = new Set(keys);
  const strangers = [...seen.keys()].filter((key) => !known.has(key)).map((key) => `${key} was written by nobody`);
  return {
    things: seen.size,
    done: settled.filter(({ outcome }) => outcome === 'done').length,
    notDone: settled.filter(({ outcome }) => outcome === 'not done').length,
    problems: [...settled.flatMap(({ problems }) => problems), ...strangers],
  };
}

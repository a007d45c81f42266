import * as fc from 'fast-check';
import { problemOf } from './check-answer.ts';
import { send } from './client.ts';
import { describeRequest, type FuzzRequest, requestsOf } from './request.ts';
import type { World } from './world.ts';

/** What was sent and how it was answered. */
export class Tally {
  requests = 0;
  slowestMs = 0;
  slowest = '';
  readonly statuses = new Map<string, number>();
  /** Endpoints that took a request, with how often. */
  readonly answered = new Map<string, number>();
  /** Requests that were answered late, and the CPU that one of them took at most when it was sent alone. */
  late = 0;
  mostCpuMs = 0;
  valid = 0;
  validAnswered = 0;

  count(request: FuzzRequest, status: number, milliseconds: number): void {
    this.requests += 1;
    const word = status === 0 ? 'cut off' : String(status);
    this.statuses.set(word, (this.statuses.get(word) ?? 0) + 1);
    if (request.isValid) this.valid += 1;
    if (milliseconds > this.slowestMs)
      [this.slowestMs, this.slowest] = [milliseconds, `${request.method} ${request.path.slice(0, 60)}`];
    if (status !== 200 || request.endpoint === undefined) return;
    if (request.isValid) this.validAnswered += 1;
    this.answered.set(request.endpoint, (this.answered.get(request.endpoint) ?? 0) + 1);
  }

  countLate(cpuMs: number): void {
    this.late += 1;
    this.mostCpuMs = Math.max(this.mostCpuMs, cpuMs);
  }

  toString(): string {
    const statuses = [...this.statuses].map(([status, count]) => `${status}: ${count}`).toSorted();
    return (
      `${this.requests} requests (${statuses.join(', ')}); of ${this.valid} left whole ${this.validAnswered} had 200; ` +
      `${this.answered.size} endpoints answered; slowest ${Math.round(this.slowestMs)} ms (${this.slowest}); ` +
      `${this.late} late, alone at most ${Math.round(this.mostCpuMs)} ms of CPU`
    );
  }
}

export interface FuzzOptions {
  readonly seed: number;
  readonly runs: number;
  /**
   * No request may take longer, in milliseconds. Others may use the machine: what takes longer by the clock is sent again,
   * alone, and then the CPU counts that the service takes with all its threads.
   */
  readonly patienceMs: number;
  readonly tally: Tally;
}

/** Shrinking stops after so many milliseconds; what was found until then is shown. */
const SHRINK_MS = 60_000;

/** Sends groups of requests at once; throws with the seed and the smallest group that shows a problem. */
export async function runFuzz(world: World, options: FuzzOptions): Promise<void> {
  const { seed, runs } = options;
  const before = await world.readHidden();
  let deadline = Infinity;
  let first = '';
  const property = fc.asyncProperty(fc.array(requestsOf(world), { minLength: 1, maxLength: 5 }), async (requests) => {
    if (Date.now() > deadline) return;
    const found = await tryAll(world, requests, options);
    if (found.length === 0) return;
    if (deadline === Infinity) {
      deadline = Date.now() + SHRINK_MS;
      first = found.join('\n\n');
    }
    throw new Error(found.join('\n\n'));
  });
  const result = await fc.check(property, { seed, numRuns: runs });
  if (result.failed) {
    const cause = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
    throw new Error(
      `Seed ${seed}, run ${result.numRuns}, shrunk ${result.numShrinks} times:\n${cause}\n\nAt first:\n${first}`,
    );
  }
  if ((await world.readHidden()) !== before) throw new Error(`Seed ${seed}: what another key reads was changed`);
}

/** How much longer than its CPU an answer may take on a busy machine. */
const MOST_WAIT = 20;

class Late extends Error {}

/** Problems of requests that are sent at once. */
async function tryAll(world: World, requests: readonly FuzzRequest[], options: FuzzOptions): Promise<string[]> {
  const late: FuzzRequest[] = [];
  const problems = await Promise.all(
    requests.map(async (request) => {
      try {
        return described(request, await problemWith(world, request, options));
      } catch (error) {
        if (!(error instanceof Late)) throw error;
        late.push(request);
        return undefined;
      }
    }),
  );
  for (const request of late) problems.push(described(request, await problemAlone(world, request, options)));
  return problems.filter((problem) => problem !== undefined);
}

function described(request: FuzzRequest, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${problem}\n${describeRequest(request)}`;
}

async function problemWith(
  world: World,
  request: FuzzRequest,
  { tally, patienceMs }: FuzzOptions,
): Promise<string | undefined> {
  try {
    const answer = await send(world.url, request, patienceMs);
    tally.count(request, answer.status, answer.milliseconds);
    return problemOf(request, answer);
  } catch (error) {
    if (!world.isAlive()) return `the service is gone: ${world.errors().slice(-2000)}`;
    throw new Late(undefined, { cause: error });
  }
}

async function problemAlone(
  world: World,
  request: FuzzRequest,
  { tally, patienceMs }: FuzzOptions,
): Promise<string | undefined> {
  const { cpuMs: before } = await world.usage();
  const cpuMs = async () => Math.round((await world.usage()).cpuMs - before);
  try {
    const answer = await send(world.url, request, patienceMs * MOST_WAIT);
    const used = await cpuMs();
    tally.count(request, answer.status, answer.milliseconds);
    tally.countLate(used);
    return used > patienceMs ? `an answer took ${used} ms of CPU` : problemOf(request, answer);
  } catch (error) {
    if (!world.isAlive()) return `the service is gone: ${world.errors().slice(-2000)}`;
    return `no answer, alone, within ${patienceMs * MOST_WAIT} ms: ${String(error)}; ${await cpuMs()} ms of CPU`;
  }
}

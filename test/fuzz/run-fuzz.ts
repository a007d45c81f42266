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

  toString(): string {
    const statuses = [...this.statuses].map(([status, count]) => `${status}: ${count}`).toSorted();
    return (
      `${this.requests} requests (${statuses.join(', ')}); of ${this.valid} left whole ${this.validAnswered} had 200; ` +
      `${this.answered.size} endpoints answered; slowest ${Math.round(this.slowestMs)} ms (${this.slowest})`
    );
  }
}

export interface FuzzOptions {
  readonly seed: number;
  readonly runs: number;
  /** No request may take longer, in milliseconds. */
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
    const problems = await Promise.all(requests.map((request) => tryRequest(world, request, options)));
    const found = problems.filter((problem) => problem !== undefined);
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

async function tryRequest(world: World, request: FuzzRequest, options: FuzzOptions): Promise<string | undefined> {
  const problem = await problemWith(world, request, options);
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
    const begun = performance.now();
    await fetch(`${world.url}/health`, { headers: { authorization: `Bearer ${world.keys[0]}` } });
    const healthyMs = Math.round(performance.now() - begun);
    return `no answer within ${patienceMs} ms: ${String(error)}; the service said that it is well after ${healthyMs} ms`;
  }
}

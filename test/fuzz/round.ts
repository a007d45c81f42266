import type { Usage } from './world.ts';

/** What a round of requests may take of the machine. */
export const MOST_OF_A_ROUND = {
  /** What bodies at their limit, and the pages of the database that are mapped, come to. */
  memoryMiB: 1500,
  /** CPU of all threads of the service for a request, on average: most are refused at once, and some queries are grown. */
  cpuMsPerRequest: 30,
} as const;

/** What a service took of its machine for a round of requests. */
export interface Round {
  readonly requests: number;
  /** That it holds now. */
  readonly memoryMiB: number;
  readonly cpuMs: number;
}

export function roundOf(before: Usage, after: Usage, requests: number): Round {
  return { requests, memoryMiB: Math.round(after.bytes / 1024 / 1024), cpuMs: Math.round(after.cpuMs - before.cpuMs) };
}

/** What is wrong with a round, or nothing. */
export function problemOfRound({ requests, memoryMiB, cpuMs }: Round): string | undefined {
  if (memoryMiB > MOST_OF_A_ROUND.memoryMiB) return `the service holds ${memoryMiB} MiB of memory`;
  if (cpuMs > requests * MOST_OF_A_ROUND.cpuMsPerRequest)
    return `${requests} requests took ${cpuMs} ms of CPU of the service`;
  return undefined;
}

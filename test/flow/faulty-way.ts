import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { buildOnce } from '../build.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';
import { type RunningProgram, startProgram, stepsOf, upTo } from './program.ts';
import { type Finished, makeHome, runCli, type ServiceProcess, startServiceProcess } from './service-process.ts';

/** Valid in a test: what a program meets on its way to the service. */
export interface FaultyWay {
  readonly service: ServiceProcess;
  readonly proxy: FaultProxy;
  /** The state folder of the programs. The service has one of its own: what is left on disk stays where it is. */
  readonly home: string;
  readonly project: string;
  /** What a program is configured with that goes by the proxy. */
  environment(more?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  /** Names of the segments that wait on disk. */
  segments(): string[];
  /** The first requests meet the fault, all others go through. */
  failFirst(count: number, fault: Fault): void;
  /** Outputs of the ended calls of `step` that the service has. */
  steps(): Promise<number[]>;
  /** Runs `spoor drain`. */
  drain(): Promise<Finished>;
}

/** A service for a file of tests; a state folder, a project and a proxy for each test. Options of `spoor serve` change the service. */
export function useFaultyWay(serveOptions: readonly string[] = []): FaultyWay {
  let service: ServiceProcess;
  let home: string;
  let proxy: FaultProxy;
  const removers: (() => void)[] = [];

  const newHome = () => {
    const made = makeHome();
    removers.push(made.remove);
    return made.home;
  };
  const project = () => `local/${basename(home)}`;

  beforeAll(async () => {
    await buildOnce();
    service = await startServiceProcess(newHome(), serveOptions);
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    for (const remove of removers) remove();
  });
  beforeEach(async () => {
    home = newHome();
    proxy = await FaultProxy.start(service.url);
  });
  afterEach(() => proxy.close());

  return {
    get service() {
      return service;
    },
    get proxy() {
      return proxy;
    },
    get home() {
      return home;
    },
    get project() {
      return project();
    },
    environment: (more = {}) => ({
      SPOOR_URL: proxy.url,
      SPOOR_API_KEY: service.apiKey,
      SPOOR_PROJECT: project(),
      SPOOR_TIMEOUT_MS: '1000',
      ...more,
    }),
    segments: () => segmentsIn(home),
    failFirst: (count, fault) => {
      proxy.plan = ({ index }) => (index < count ? fault : undefined);
    },
    steps: () => stepsOf(service, project()),
    drain: () => runCli(home, 'drain', '--url', proxy.url, '--key', service.apiKey),
  };
}

/** All steps below `count` are there once, at the latest when what was left on disk is delivered; nothing is left then. */
export async function expectSteps(way: FaultyWay, count: number): Promise<void> {
  const settled = async () => {
    await way.drain();
    expect(await way.steps()).toEqual(upTo(count));
    expect(way.segments()).toEqual([]);
  };
  await vi.waitFor(settled, { timeout: 20_000, interval: 200 });
}

/** As long as an end may take; a slower machine leaves the rest on disk. */
const END_MS = 2000;

/** Runs a program that delivers at its end: all steps are there and nothing is on disk, but for one that was slower than an end may be. */
export async function expectDelivering<Ended extends { readonly stderr: string }>(
  way: FaultyWay,
  count: number,
  run: () => Promise<Ended>,
): Promise<Ended> {
  const startedAt = performance.now();
  const ended = await run();
  if (performance.now() - startedAt > END_MS) {
    await expectSteps(way, count);
    return {
      ...ended,
      stderr: ended.stderr.replaceAll(/^spoor: .*No whole answer before the process ended.*\n/gm, ''),
    };
  }
  expect(await way.steps()).toEqual(upTo(count));
  expect(way.segments()).toEqual([]);
  return ended;
}

/** Answers are waited for, however long they take. */
export const PATIENT = { SPOOR_TIMEOUT_MS: '60000' };

interface NextProgramOptions {
  readonly start?: (source: string) => RunningProgram;
  /** Names of the segments that wait where it looks. */
  readonly segments?: () => string[];
}

/** A program that makes the last of the expected steps delivers what others left, and ends when that is done. */
export async function expectNextDelivers(
  way: FaultyWay,
  expected: readonly number[],
  {
    start = (source) => startProgram(way.home, source, way.environment(PATIENT)),
    segments = () => way.segments(),
  }: NextProgramOptions = {},
): Promise<Awaited<RunningProgram['ended']>> {
  const program = start(`step(${expected.at(-1)}); process.stdin.once('data', () => process.stdin.unref());`);
  await expect.poll(() => way.steps()).toEqual(expected);
  await expect.poll(segments).toEqual([]);
  program.child.stdin?.write('end');
  const ended = await program.ended;
  expect(ended).toMatchObject({ code: 0, signal: null });
  return ended;
}

export function segmentsIn(home: string): string[] {
  try {
    return readdirSync(join(home, 'spool'));
  } catch {
    return [];
  }
}

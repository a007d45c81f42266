import { setTimeout as sleep } from 'node:timers/promises';
import { announcedRecording } from '../../protocol/process/recording.ts';
import { NamedChecks } from '../named-checks.ts';
import { startTraceServer, type TraceServer } from '../traces/trace-server.ts';
import type { TraceCall } from '../traces/trace.ts';
import type { TransparencyRunner } from '../transparency/subject.ts';
import type { CallUnderTest, IntegrationUnderTest } from './integration.ts';

/** The tools that a check works with. */
export interface Bench<Client> {
  readonly calls: readonly (readonly [name: string, call: CallUnderTest<Client>])[];
  /** States a fact about the integration. The name is a sentence, and there is only one of it. */
  readonly check: (name: string, run: () => Promise<void>) => void;
  /** States one that cannot be checked for lack of something. */
  readonly skip: (name: string, missing: string) => void;
  /** Runs `use` with a client of its own, without capture. */
  readonly bare: <Result>(use: (client: Client) => Result) => Promise<Awaited<Result>>;
  /** The same with capture, `times` over. @default once */
  readonly captured: <Result>(use: (client: Client) => Result, times?: number) => Promise<Awaited<Result>>;
  /** Outermost calls that were recorded since the check began, once they are as `expect` wants them. */
  readonly recorded: (expect: (roots: readonly TraceCall[]) => void) => Promise<void>;
  /** Runs `act` while these variables are set, and recording begins afresh. */
  readonly withVariables: (variables: Readonly<Record<string, string>>, act: () => Promise<void>) => Promise<void>;
  /** Fails when an excuse names no check. */
  readonly checkExcuses: () => void;
}

const RETRY_MS = 5;

export function createBench<Client>(
  { test, afterAll }: TransparencyRunner,
  integration: IntegrationUnderTest<Client>,
): Bench<Client> {
  const { create, close, instrument, excused = {}, patienceMs = 5_000 } = integration;
  const checks = new NamedChecks(test, excused);
  let starting: Promise<TraceServer> | undefined;
  const server = () => (starting ??= startTraceServer({ project: 'local/instrument' }));
  afterAll?.(async () => await (await starting)?.close());
  async function withClient<Result>(times: number, use: (client: Client) => Result): Promise<Awaited<Result>> {
    const client = await create();
    let used = client;
    try {
      for (let time = 0; time < times; time++) used = await instrument(used);
      return await use(used);
    } finally {
      await close?.(client);
    }
  }
  async function runAlone(run: () => Promise<void>): Promise<void> {
    await (await server()).clear();
    await run();
  }
  return {
    calls: Object.entries(integration.calls),
    check: (name, run) => checks.state(name, () => runAlone(run)),
    skip: (name, missing) => checks.skip(name, missing),
    bare: (use) => withClient(0, use),
    captured: (use, times = 1) => withClient(times, use),
    recorded: async (expect) => await patiently(await server(), patienceMs, expect),
    withVariables: async (variables, act) => {
      await server();
      await withVariables(variables, act);
    },
    checkExcuses: () => checks.stateExcuses(),
  };
}

/** Work that a program has left may end some turns later. */
async function patiently(
  server: TraceServer,
  patienceMs: number,
  expect: (roots: readonly TraceCall[]) => void,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { roots } = await server.calls();
    try {
      return expect(roots);
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await sleep(RETRY_MS);
  }
}

async function withVariables(variables: Readonly<Record<string, string>>, act: () => Promise<void>): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  await announcedRecording()?.shutdown();
  Object.assign(process.env, variables);
  try {
    await act();
  } finally {
    await announcedRecording()?.shutdown();
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

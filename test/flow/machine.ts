import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { problemFilePath } from '../../src/spool/problem-file.ts';
import { buildOnce } from '../build.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from './service-process.ts';

/** The machine of a user: his state folder, and the service that runs for it. */
export interface Machine {
  readonly home: string;
  /** The one that was started last. */
  readonly service: ServiceProcess;
  /** For a test that has stopped the one before. */
  startService(): Promise<void>;
}

/** Builds the package, and gives each test of the file a machine of its own, whose service runs. */
export function machinePerTest(): Machine {
  return machineBetween(beforeEach, afterEach);
}

/**
 * The same, but for all tests of the file together: a service takes a second to start, and to stop. Each test has a project of its own,
 * and leaves the rest of the machine alone.
 */
export function machinePerFile(): Machine {
  const machine = machineBetween(beforeAll, afterAll);
  // The doctor tells of what programs before had to say.
  beforeEach(() => rmSync(problemFilePath(machine.home), { force: true }));
  return machine;
}

/** A project of its own for each test of a file. */
export function projectOfTest(): string {
  const { currentTestName = '' } = expect.getState();
  return `local/test-${createHash('sha256').update(currentTestName).digest('hex').slice(0, 12)}`;
}

function machineBetween(
  before: typeof beforeAll | typeof beforeEach,
  after: typeof afterAll | typeof afterEach,
): Machine {
  let machine: { readonly home: string; readonly remove: () => void; service: ServiceProcess } | undefined;
  const current = () => {
    if (machine === undefined) throw new Error('There is a machine only while a test runs');
    return machine;
  };
  beforeAll(buildOnce, 120_000);
  before(async () => {
    const { home, remove } = makeHome();
    machine = { home, remove, service: await startServiceProcess(home) };
  });
  after(async () => {
    await current().service.stop();
    current().remove();
    machine = undefined;
  });
  return {
    get home() {
      return current().home;
    },
    get service() {
      return current().service;
    },
    async startService() {
      current().service = await startServiceProcess(current().home);
    },
  };
}

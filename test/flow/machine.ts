import { afterEach, beforeAll, beforeEach } from 'vitest';
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
  let machine: { readonly home: string; readonly remove: () => void; service: ServiceProcess } | undefined;
  const current = () => {
    if (machine === undefined) throw new Error('There is a machine only while a test runs');
    return machine;
  };
  beforeAll(buildOnce, 120_000);
  beforeEach(async () => {
    const { home, remove } = makeHome();
    machine = { home, remove, service: await startServiceProcess(home) };
  });
  afterEach(async () => {
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

import { afterAll, beforeAll } from 'vitest';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { buildOnce } from '../../build.ts';
import {
  type Finished,
  makeHome,
  runCli,
  type ServiceProcess,
  startServiceProcess,
} from '../../flow/service-process.ts';

export const PROJECT = 'acme/demo';

export interface MemoryService {
  readonly home: string;
  readonly service: ServiceProcess;
  readonly reader: Reader;
  /** Runs the built command in the state folder of the service, on `PROJECT`. */
  run(...args: string[]): Promise<Finished>;
}

/** A service process with a state folder of its own for all tests of a file; `seed` fills it. */
export function useMemoryService(seed: (reader: Reader) => Promise<unknown>): () => MemoryService {
  let running: MemoryService | undefined;
  const made = makeHome();

  beforeAll(async () => {
    await buildOnce();
    const { home } = made;
    const service = await startServiceProcess(home, ['--storage', 'memory']);
    const reader = createReader({ url: service.url, apiKey: service.apiKey, project: PROJECT });
    running = { home, service, reader, run: (...args) => runCli(home, ...args, '--project', PROJECT) };
    await seed(reader);
  }, 120_000);

  afterAll(async () => {
    await running?.service.stop();
    made.remove();
  });

  return () => {
    if (!running) throw new Error('The service is started before all tests');
    return running;
  };
}

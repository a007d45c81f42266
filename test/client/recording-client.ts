import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { init, type InitOptions, type Problem, shutdown } from 'spoor';
import { createReader, type Reader } from 'spoor/reader';
import { createServer, type SpoorServer } from 'spoor/server';
import { afterEach, beforeEach, vi } from 'vitest';

/** The library of this process beside a service in memory; both are new for each test. */
export interface RecordingClient {
  /** State folder of the library, which names no service until a test writes that. */
  readonly home: string;
  readonly server: SpoorServer;
  /** What went to `onError` in this test. */
  readonly problems: Problem[];
  /** `init` with the service. */
  start(options?: InitOptions): ReturnType<typeof init>;
  /** `init` without any. */
  startAlone(): ReturnType<typeof init>;
  reader(): Reader;
}

/** Call it at the top of a file. With `allowsProblems: false` a test fails that leaves one. */
export function useRecordingClient(project: string, { allowsProblems = true } = {}): RecordingClient {
  let home: string;
  let server: SpoorServer;
  let problems: Problem[];

  beforeEach(async () => {
    for (const name of ['SPOOR_URL', 'SPOOR_API_KEY', 'SPOOR_DISABLED']) vi.stubEnv(name, undefined);
    home = mkdtempSync(join(tmpdir(), 'spoor-client-'));
    server = await createServer({ storage: 'memory', port: 0, home: join(home, 'server') });
    problems = [];
  });

  afterEach(async () => {
    await shutdown();
    await server.close();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
    if (!allowsProblems && problems.length > 0) throw new Error(`There was a problem: ${problems[0]?.message}`);
  });

  const onError = (problem: Problem) => problems.push(problem);
  return {
    get home() {
      return home;
    },
    get server() {
      return server;
    },
    get problems() {
      return problems;
    },
    start: (options = {}) => init({ url: server.url, apiKey: server.apiKey, project, home, onError, ...options }),
    startAlone: () => init({ project, home, onError }),
    reader: () => createReader({ url: server.url, apiKey: server.apiKey, project }),
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createServer, type ServerOptions, type SpoorServer } from '../../src/server/create-server.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { openHttpStorage } from '../../src/testing/storage/http/http-storage.ts';
import { storageConformance } from '../../src/testing/storage/conformance.ts';
import { buildOnce } from '../build.ts';

/** What cannot be said or read over HTTP, by nature of the protocol. */
const EXCUSED = {
  'the trace that a start begins has the id that was made for it': 'the service makes the ids of traces',
  'a creation time is the given one, raised by no more than it must be': 'the service takes the time of objects',
  'rows that are stored need not be given again': 'the service takes whole rows',
  'a deleted version is known without its value': 'the service tells only the time of the deletion',
  'a list of more characters than its reader takes is refused': 'a request cannot say how many it takes',
  'a list of feedback of more characters than its reader takes is refused': 'a request cannot say how many it takes',
  'a read that takes longer than its deadline rejects': 'a request cannot say how long it waits',
  'a deletion under a key that is known deletes nothing and tells what the first one did':
    'the service makes the keys of deletions',
  'of several names of a file the first one stays': 'no answer of the service has the name of a file',
};

const folders: string[] = [];

beforeAll(buildOnce, 120_000);

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

storageConformance(
  { describe, test },
  {
    name: 'the whole stack on memory',
    open: async () => behindHttp(await createServer({ storage: 'memory', port: 0, logLevel: 'silent' })),
    excused: EXCUSED,
  },
);

// The built package: the threads of SQLite start without a loader, which makes a service for each test affordable.
storageConformance(
  { describe, test },
  {
    name: 'the whole stack on SQLite in a file',
    open: async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'spoor-stack-'));
      folders.push(dataDir);
      return behindHttp(await createBuiltServer({ storage: 'sqlite', dataDir, port: 0, logLevel: 'silent' }));
    },
    excused: EXCUSED,
  },
);

async function createBuiltServer(options: ServerOptions): Promise<SpoorServer> {
  const built = new URL('../../dist/server/create-server.js', import.meta.url).href;
  const { createServer: create } = (await import(built)) as { createServer: typeof createServer };
  return create(options);
}

function behindHttp(server: SpoorServer): Storage {
  return { ...openHttpStorage(server), close: () => server.close() };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createServer, type ServerOptions, type SpoorServer } from '../../src/server/create-server.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { openHttpStorage } from '../../src/testing/storage/http-storage.ts';
import { storageConformance } from '../../src/testing/storage/conformance.ts';
import { buildOnce } from '../build.ts';

/** What cannot be said or read over HTTP, by nature of the protocol. */
const EXCUSED = {
  'the trace that a start begins has the id that was made for it': 'the service makes the ids of traces',
  'a creation time is the given one, raised by no more than it must be': 'the service takes the time of objects',
  'rows that are stored need not be given again': 'the service takes whole rows',
  'a deleted version is known without its value': 'the service tells only the time of the deletion',
  'of several names of a file the first one stays': 'no answer of the service has the name of a file',
  ...Object.fromEntries(
    [
      'traces in which nothing has happened since a time are removed whole',
      'a trace in which something has happened since stays whole',
      'a call that never ended is as old as its start',
      'an end whose start never came is removed by its time',
      'a removed call is unknown, and may be written anew',
      'a deleted call stays deleted',
      'what was said about removed calls goes, all else stays',
      'what is removed from one project is not removed from another',
      'the newest traces that take no more than so many bytes stay',
      'much that is old is removed in steps, of which the last one removes nothing',
    ].map((name) => [name, 'only the service itself removes what is old']),
  ),
  ...Object.fromEntries(
    [
      'calls, errors and running calls of a selection are counted',
      'nothing adds up to nothing',
      'a time includes its beginning and not its end',
      'percentiles stand between the latencies of calls that have ended',
      'usage counts where no selected call above has any',
      'calls above each other in a circle count their usage as those below do',
      'usage is added up by model and by who was asked',
      'a histogram counts calls and errors by their start',
      'values of a field come with their counts, the most frequent first',
      'every kind of field has values',
      'late ends and deletions change what calls add up to',
      'conditions on feedback select what is added up',
      'an outline says what a call was, what became of it and what it used',
      'an outline of a running call has nothing that only an end brings',
      'an outline has previews only where they are asked for',
      'the status of an outline is that of the call',
      'a preview is one line of what stands for a body',
      'a preview of a large body is what it begins with',
      'outlines go on behind a call in both directions',
      'more outlines than a chunk holds are all read in order',
      'the columns of a trace say what its calls were and used',
      'calls of a trace come as they started, of equal ones by their ids',
      'a parent that has not come before its call is named',
      'places of parents are those in the whole trace, however many calls it has',
      'a trace that nobody knows has no calls',
    ].map((name) => [name, 'no endpoint has overviews']),
  ),
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

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Channel } from '../../../src/storage/sqlite/threads/channel.ts';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { errorData, errorOf } from '../../../src/storage/sqlite/threads/messages.ts';
import type { AnswerTo, Change, Request, WriteRequest } from '../../../src/storage/sqlite/threads/requests.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { isPacked, packTable } from '../../../src/storage/packed/packed-table.ts';
import { WriteClient } from '../../../src/storage/sqlite/threads/write-client.ts';
import { Writer } from '../../../src/storage/sqlite/write/writer.ts';
import { NEW_YEAR, newFeedback, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

// What is remembered of writes that a full disk refused, and what it takes to forget them.

const PAGE_BYTES = 16_384;

/** A writer on a disk with room for so many bytes more; what comes is copied as on the way to a thread. */
class SmallDisk implements Channel {
  readonly ready = Promise.resolve({ wasClean: true, check: 'none' } as const);
  readonly pendingCount = 0;
  readonly groupCount = 0;
  readonly isBroken = false;
  readonly probes: WriteRequest[] = [];
  /** Refuses whatever is no probe, as some changes fit on pages that are there. */
  takesNothing = false;
  readonly #database;
  readonly #writer: Writer;

  constructor(path: string) {
    this.#database = openWriteConnection({ path, durable: 'crash' });
    migrate(this.#database);
    this.#writer = new Writer(this.#database);
  }

  makeRoom(bytes: number): void {
    const pages = Number(this.#database.prepare('PRAGMA page_count').get()?.['page_count']);
    this.#database.exec(`PRAGMA max_page_count = ${pages + Math.ceil(bytes / PAGE_BYTES)}`);
  }

  async send<Asked extends Request>(request: Asked): Promise<AnswerTo<Asked>> {
    const sent = structuredClone(asSent(request)) as WriteRequest;
    if (sent.op === 'probe') this.probes.push(sent);
    else if (this.takesNothing) throw errorOf({ code: 'unavailable', message: 'the disk is full' });
    const [outcome] = this.#writer.writeGroup([sent]);
    if (outcome !== undefined && 'error' in outcome) throw errorOf(errorData(outcome.error));
    return outcome?.result as AnswerTo<Asked>;
  }

  async close(): Promise<void> {
    this.#writer.close();
  }
}

/** A channel packs a table; what it is asked to try again it sends as it is. */
function asSent(request: Request): Request {
  if (request.op !== 'createTable' || isPacked(request.table)) return request;
  return { op: 'createTable', table: packTable(request.table) };
}

async function openSmallDisk(): Promise<{ disk: SmallDisk; writes: WriteClient }> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = await newDatabasePath();
  await mkdir(dirname(path), { recursive: true });
  const disk = new SmallDisk(path);
  const writes = new WriteClient(() => disk);
  onTestFinished(() => writes.close());
  return { disk, writes };
}

/** Asks so late that it is tried again. */
async function health(writes: WriteClient): Promise<string> {
  vi.advanceTimersByTime(1000);
  return await writes.checkHealth().then(
    () => 'well',
    (error: unknown) => errorData(error).code,
  );
}

const ids = { projectId: PROJECT, ids: ['a'] };
const row = { digest: 'r', val: '{}' };
const file = (bytes: number) =>
  ({
    op: 'createFile',
    file: { project_id: PROJECT, digest: `f${bytes}`, name: 'f', bytes: Buffer.alloc(bytes) },
  }) as const;
const calls = (id: string, bytes = 0) => {
  const inputs = JSON.stringify({ text: 'x'.repeat(bytes) });
  return { op: 'writeCalls', facts: [startFact(id, { inputs })] } as const;
};
const object = {
  project_id: PROJECT,
  object_id: 'o',
  kind: 'object',
  digest: 'd',
  val: '{}',
  base_object_class: null,
  leaf_object_class: null,
  svc_user_id: 'u',
  created_at: NEW_YEAR,
} as const;
const cost = {
  project_id: PROJECT,
  id: 'c',
  llm_id: 'm',
  prompt_token_cost: 1,
  completion_token_cost: 1,
  cache_read_input_token_cost: null,
  cache_creation_input_token_cost: null,
  reasoning_token_cost: null,
  prompt_token_cost_unit: 'USD',
  completion_token_cost_unit: 'USD',
  effective_date: NEW_YEAR,
  provider_id: 'p',
  created_by: 'u',
  created_at: NEW_YEAR,
} as const;
const feedback = newFeedback('f');

/** Rows as a request makes them: when they are gone through. */
const rows = {
  *[Symbol.iterator]() {
    yield row;
  },
};

const view = {
  project_id: PROJECT,
  id: 'v',
  name: 'n',
  query: '',
  columns: [],
  created_at: NEW_YEAR,
  updated_at: NEW_YEAR,
  svc_user_id: 'u',
} as const;

const CHANGES: { readonly [Op in Change['op']]: Change & { readonly op: Op } } = {
  writeCalls: calls('a'),
  saveView: { op: 'saveView', view },
  deleteView: { op: 'deleteView', projectId: PROJECT, id: 'v' },
  noteRun: { op: 'noteRun', run: { project_id: PROJECT, id: 'r' } },
  saveSetting: { op: 'saveSetting', name: 's', value: '{}' },
  rename: { op: 'rename', projectId: PROJECT, callId: 'a', displayName: 'n' },
  delete: { op: 'delete', projectId: PROJECT, callIds: ['a'], deletedAt: NEW_YEAR },
  createObject: { op: 'createObject', object },
  deleteObjects: {
    op: 'deleteObjects',
    projectId: PROJECT,
    objectId: 'o',
    versions: ['*'],
    deletedAt: NEW_YEAR,
    key: undefined,
  },
  createTable: { op: 'createTable', table: { project_id: PROJECT, digest: 't', row_digests: ['r'], rows } },
  deriveTable: {
    op: 'deriveTable',
    table: { project_id: PROJECT, digest: 't', base_digest: 'b', pieces: [{ from: 0, count: 2 }, row] },
  },
  createFile: file(10),
  createCosts: { op: 'createCosts', costs: [cost] },
  createFeedback: { op: 'createFeedback', feedback: [feedback], replacedId: null },
  purgeFeedback: { op: 'purgeFeedback', ...ids },
  purgeCosts: { op: 'purgeCosts', ...ids },
  removeTraces: { op: 'removeTraces', projectId: PROJECT, traceIds: ['t'], before: NEW_YEAR },
  removeHalves: { op: 'removeHalves', projectId: PROJECT, before: NEW_YEAR },
  removeRuns: { op: 'removeRuns', projectId: PROJECT, before: NEW_YEAR, after: 0 },
  giveBack: { op: 'giveBack' },
};

test.each(Object.values(CHANGES))('a refused $op is tried again until it would go', async (change) => {
  const { disk, writes } = await openSmallDisk();
  disk.makeRoom(0);
  disk.takesNothing = true;
  await expect(writes.send(change)).rejects.toMatchObject({ code: 'unavailable' });
  for (let attempt = 1; attempt <= 3; attempt++) {
    expect(await health(writes)).toBe('unavailable');
    expect(disk.probes).toHaveLength(attempt);
  }
  disk.makeRoom(4_000_000);
  expect(await health(writes)).toBe('well');
});

test('of a large write only its size is kept, and a disk with room for what is usual is well', async () => {
  const { disk, writes } = await openSmallDisk();
  disk.makeRoom(10_000_000);
  await expect(writes.send(file(20_000_000))).rejects.toMatchObject({ code: 'unavailable' });
  await writes.send(calls('a'));
  expect(await health(writes)).toBe('well');
  expect(disk.probes).toEqual([{ op: 'probe', refused: { sample: undefined, roomBytes: 4 * 1024 * 1024 } }]);
});

test('however much was refused, a page of room is not enough', async () => {
  const { disk, writes } = await openSmallDisk();
  disk.makeRoom(PAGE_BYTES);
  for (const change of [calls('a', 900_000), file(3_000_000), file(20_000_000), calls('b', 100_000)]) {
    await expect(writes.send(change)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await health(writes)).toBe('unavailable');
  }
  const [, , , last] = disk.probes;
  expect(last).toMatchObject({ refused: { sample: calls('a', 900_000), roomBytes: 4 * 1024 * 1024 } });
  for (let count = 0; count < 200; count++) await writes.send(CHANGES.purgeCosts);
  expect(await health(writes)).toBe('unavailable');
});

test('what was too large asks for less room once many others went well since', async () => {
  const { disk, writes } = await openSmallDisk();
  disk.makeRoom(3_000_000);
  await expect(writes.send(file(20_000_000))).rejects.toMatchObject({ code: 'unavailable' });
  for (let count = 0; count < 99; count++) await writes.send(calls(`a${count}`));
  expect(await health(writes)).toBe('unavailable');
  await expect(writes.send(file(20_000_000))).rejects.toMatchObject({ code: 'unavailable' });
  for (let count = 0; count < 99; count++) await writes.send(calls(`b${count}`));
  expect(await health(writes)).toBe('unavailable');
  await writes.send(calls('c'));
  expect(await health(writes)).toBe('well');
});

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { digestBytes, digestJson, digestTable } from '../../src/protocol/values/digest.ts';
import { fileLine, objectLine, tableLine } from '../../src/spool/segment-format.ts';
import { SegmentWriter } from '../../src/spool/segment-writer.ts';
import { spoolFolder } from '../../src/spool/state-folder.ts';
import { TracingError } from '../../src/protocol/error.ts';
import { NotingCalls } from '../../src/server/metrics/noting-calls.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { type Engine, ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

let home: string;
let open: RunningServer[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'spoor-spool-'));
  open = [];
});
afterEach(async () => {
  for (const server of open) await server.close();
  rmSync(home, { recursive: true });
});

async function start(storage: Engine | Storage = 'memory'): Promise<RunningServer> {
  const server = await startServer({ home, storage });
  open.push(server);
  return server;
}

const startLine = (id: string, fields: object = {}) =>
  `${JSON.stringify({ mode: 'start', req: { start: { project_id: PROJECT, id, op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z', ...fields } } })}\n`;
const endLine = (id: string) =>
  `${JSON.stringify({ mode: 'end', req: { end: { project_id: PROJECT, id, ended_at: '2026-01-01T00:00:01Z', output: id } } })}\n`;

/** Leaves a segment behind, as a program does that found no service. */
function leave(url: string | null, ...lines: string[]): void {
  const writer = new SegmentWriter(home, { url, project: PROJECT });
  writer.append(Buffer.from(lines.join('')));
  writer.close().release();
}

const segments = () => (existsSync(spoolFolder(home)) ? readdirSync(spoolFolder(home)) : []);

async function ids(server: RunningServer): Promise<unknown[]> {
  const { body } = await server.post('/calls/query', { project_id: PROJECT });
  return (body as { calls: { id: string }[] }).calls.map(({ id }) => id);
}

describe.each(ENGINES)('on %s', (engine) => {
  test('calls, objects and files that programs left are there when the service is', async () => {
    const bytes = Buffer.from('source');
    const file = { projectId: PROJECT, name: 'obj.ts', digest: digestBytes(bytes), bytes };
    const val = { settings: 1 };
    const object = { projectId: PROJECT, objectId: 'o', val, digest: digestJson(val) };
    leave(null, fileLine(file), objectLine(object), startLine('a'), endLine('a'), startLine('b', { parent_id: 'a' }));
    const server = await start(engine);
    await expect.poll(() => ids(server), { timeout: 10_000 }).toEqual(['a', 'b']);
    const read = await server.post('/obj/read', { project_id: PROJECT, object_id: 'o', digest: digestJson(val) });
    expect(read.body).toMatchObject({ obj: { val } });
    const content = await server.post('/file/content', { project_id: PROJECT, digest: file.digest });
    expect(content.text).toBe('source');
    await expect.poll(segments).toEqual([]);
  });

  test('a table that a program left in pieces is whole, and a row no service would take costs its piece only', async () => {
    const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];
    const [first, whole] = [1, 3].map((count) => digestTable(rows.slice(0, count).map(digestJson)));
    const texts = rows.map((row) => JSON.stringify(row));
    const piece = { projectId: PROJECT, digest: String(first), isLast: false };
    leave(
      null,
      tableLine({ ...piece, digest: 'other', isLast: true }, ['5']),
      tableLine(piece, texts.slice(0, 1)),
      tableLine({ ...piece, base: 'unknown', isLast: true }, texts),
      tableLine({ ...piece, digest: String(whole), base: String(first), isLast: true }, texts.slice(1)),
    );
    const server = await start(engine);
    await expect.poll(segments, { timeout: 10_000 }).toEqual([]);
    const { body } = await server.post('/table/query', { project_id: PROJECT, digest: whole });
    expect((body as { rows: { val: unknown }[] }).rows.map(({ val }) => val)).toEqual(rows);
    const refused = server.log.filter(({ msg }) => msg === 'spooled record refused');
    expect(refused.map(({ errorCode }) => errorCode)).toEqual(['validation_error', 'not_found']);
  });

  test('more calls than one batch takes arrive all', async () => {
    leave(null, ...Array.from({ length: 1500 }, (_, index) => startLine(`c${index}`)));
    const server = await start(engine);
    await expect.poll(async () => (await ids(server)).length, { timeout: 10_000 }).toBe(1500);
  });
});

test('a segment that is left while the service runs is picked up', async () => {
  const server = await start();
  leave(null, startLine('late'));
  await expect.poll(() => ids(server), { timeout: 10_000 }).toEqual(['late']);
  await expect.poll(segments, { timeout: 10_000 }).toEqual([]);
});

test('a segment for another service stays, one that names this service by any of its names does not', async () => {
  const server = await start();
  leave('https://traces.example', startLine('foreign'));
  leave(`http://localhost:${server.port}`, startLine('ours'));
  await expect.poll(() => ids(server), { timeout: 10_000 }).toEqual(['ours']);
  expect(segments()).toHaveLength(1);
});

test('a record no service would take is left out and named in the log, the others arrive', async () => {
  leave(
    null,
    startLine('a'),
    startLine('b', { op_name: '' }),
    startLine('c', { inputs: 5 }),
    startLine('d'),
    '{"mode":"x"}\n',
  );
  const server = await start();
  await expect.poll(() => ids(server), { timeout: 10_000 }).toEqual(['a', 'd']);
  await expect.poll(segments).toEqual([]);
  const refused = server.log.filter(({ msg }) => msg === 'spooled record refused');
  const codes = refused.map(({ errorCode }) => String(errorCode));
  // What breaks the schema is named before anything else is looked at.
  expect(codes.toSorted()).toEqual(['invalid_request', 'validation_error', 'validation_error']);
});

test('each record that is left out is named with its own reason', async () => {
  leave(null, startLine('a'), startLine('x'.repeat(300)), startLine('b', { op_name: 'svc:///no' }), startLine('c'));
  const server = await start();
  await expect.poll(() => ids(server), { timeout: 10_000 }).toEqual(['a', 'c']);
  const refused = server.log.filter(({ msg }) => msg === 'spooled record refused');
  expect(refused.map(({ errorCode }) => errorCode)).toEqual(['invalid_id', 'invalid_ref']);
});

test('large records that were left are stored in portions, and others have their turn between them', async () => {
  const text = 'x'.repeat(100_000);
  leave(null, ...Array.from({ length: 40 }, (_value, index) => startLine(`c${index}`, { inputs: { text } })));
  let turn = 0;
  const count = () => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  const memory = openMemoryStorage();
  const written: { facts: number; turn: number }[] = [];
  const calls = new NotingCalls(memory.calls, {
    onWritten: (facts) => written.push({ facts: facts.length, turn }),
  });
  const server = await start({ ...memory, calls });
  await expect.poll(async () => (await ids(server)).length, { timeout: 10_000 }).toBe(40);
  expect(written.map(({ facts }) => facts)).toEqual([10, 10, 10, 10]);
  expect(new Set(written.map((one) => one.turn)).size).toBe(4);
});

test('while the storage fails a segment stays, and it is tried again', async () => {
  const storage = openMemoryStorage();
  const write = storage.calls.write.bind(storage.calls);
  let failures = 0;
  const calls = Object.assign(storage.calls, {
    write: async (facts: Parameters<typeof write>[0]) => {
      if (failures++ === 0) throw new TracingError('unavailable', 'The disk is full');
      return await write(facts);
    },
  });
  leave(null, startLine('a'));
  const server = await start({ ...storage, calls });
  await expect.poll(() => server.log.some(({ msg }) => msg === 'spool import failed')).toBe(true);
  expect(segments()).toHaveLength(1);
  await expect.poll(() => ids(server), { timeout: 10_000 }).toEqual(['a']);
});

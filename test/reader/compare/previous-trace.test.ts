import { expect, test } from 'vitest';
import { type ErrorCode, TracingError } from '../../../src/protocol/error.ts';
import { formatRun, RUN_HEADER } from '../../../src/protocol/process-run.ts';
import { previousTrace } from '../../../src/reader/compare/compare-traces.ts';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { serverPerTest } from '../../server/server-per-test.ts';
import type { RunningServer } from '../../server/running-server.ts';

const start = serverPerTest();

const PROJECT = 'acme/demo';
const NEW_YEAR = Date.UTC(2026, 0, 1);

/** The run of a process that began in a second of the new year. */
interface Program {
  readonly id: string;
  readonly began?: number;
}

const OLD: Program = { id: 'p00000000000000a1', began: 0 };
const OWN: Program = { id: 'p00000000000000b2', began: 100 };
const SIBLING: Program = { id: 'p00000000000000c3', began: 100 };

function readerOf({ url, apiKey }: RunningServer): Reader {
  return createReader({ url, apiKey, project: PROJECT, retries: 0 });
}

/** Traces of one op, each of one call that has the second of its start in its id. */
async function write(server: RunningServer, program: Program | undefined, ...seconds: number[]): Promise<void> {
  const batch = seconds.map((second) => {
    const id = idOf(program, second);
    const started_at = new Date(NEW_YEAR + second * 1000).toISOString();
    const call = { project_id: PROJECT, id, trace_id: id, op_name: 'answer', started_at, attributes: {}, inputs: {} };
    return { mode: 'start', req: { start: call } };
  });
  const { began } = program ?? {};
  const startedAt = began === undefined ? undefined : (NEW_YEAR + began * 1000) * 1000;
  const headers = program === undefined ? {} : { [RUN_HEADER]: formatRun({ id: program.id, startedAt }) };
  expect((await server.post('/call/upsert_batch', { batch }, headers)).status).toBe(200);
}

function idOf(program: Program | undefined, second: number): string {
  return `${program?.id.slice(-2) ?? 'none'}-${second}`;
}

async function before(reader: Parameters<typeof previousTrace>[0], program: Program, second: number) {
  return (await previousTrace(reader, { trace_id: idOf(program, second) }))?.trace_id;
}

test('the trace before is one of the run before, and not of the same run', async () => {
  const server = await start();
  await write(server, OLD, 10, 20);
  await write(server, OWN, 110, 120, 130);
  expect(await before(readerOf(server), OWN, 130)).toBe(idOf(OLD, 20));
  expect(await before(readerOf(server), OWN, 110)).toBe(idOf(OLD, 20));
});

test('a process that runs beside this one is not the run before', async () => {
  const server = await start();
  await write(server, OLD, 20);
  await write(server, SIBLING, 105, 125);
  await write(server, OWN, 110, 130);
  expect(await before(readerOf(server), OWN, 130)).toBe(idOf(OLD, 20));
});

test('a run that says no start begins with its first call', async () => {
  const server = await start();
  await write(server, { id: OLD.id }, 20);
  await write(server, { id: SIBLING.id }, 125);
  await write(server, { id: OWN.id }, 110, 130);
  expect(await before(readerOf(server), { id: OWN.id }, 130)).toBe(idOf(OLD, 20));
});

test('without a run before it is the trace before, and there calls without a run count', async () => {
  const server = await start();
  await write(server, OWN, 110, 120, 130);
  expect(await before(readerOf(server), OWN, 130)).toBe(idOf(OWN, 120));
  expect(await before(readerOf(server), OWN, 110)).toBeUndefined();
  await write(server, undefined, 50);
  expect(await before(readerOf(server), OWN, 130)).toBe(idOf(undefined, 50));
});

test('a long run is asked for by its id alone, and its calls are asked for by their time', async () => {
  const server = await start();
  await write(server, OLD, 20);
  await write(server, OWN, ...Array.from({ length: 200 }, (_, index) => 101 + index));
  const { calls, page } = readerOf(server);
  const asked: unknown[] = [];
  const watching = {
    calls: {
      get: (...wanted: Parameters<typeof calls.get>) => calls.get(...wanted),
      query: (request: Parameters<typeof calls.query>[0], options?: Parameters<typeof calls.query>[1]) => {
        asked.push(request?.query);
        return calls.query(request, options);
      },
    },
    page: {
      runs: (request: Parameters<typeof page.runs>[0]) => (asked.push(request), page.runs(request)),
    },
  };
  expect(await before(watching, OWN, 300)).toBe(idOf(OLD, 20));
  expect(asked).toHaveLength(3);
  expect(asked[1]).toEqual({ call_id: idOf(OWN, 300), project_id: PROJECT, sums: false });
  expect(JSON.stringify(asked)).not.toContain('process_run');
});

/** The trace before, where runs cannot be listed. */
async function beforeWithout(code: ErrorCode): Promise<string | undefined> {
  const server = await start();
  await write(server, OWN, 110, 120);
  const { calls } = readerOf(server);
  const runs = async () => await Promise.reject(new TracingError(code, 'Cannot list runs'));
  return await before({ calls, page: { runs } }, OWN, 120);
}

test('a service that knows no runs tells the trace before', async () => {
  expect(await beforeWithout('unknown_path')).toBe(idOf(OWN, 110));
});

test.each(['query_timeout', 'unavailable'] as const)(
  'a service that does not tell the run this time (%s) is not asked for another trace instead',
  async (code) => {
    await expect(beforeWithout(code)).rejects.toMatchObject({ code });
  },
);

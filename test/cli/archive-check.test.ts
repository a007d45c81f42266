import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkArchive } from '../../src/cli/archive/check-archive.ts';
import { importArchive } from '../../src/cli/archive/import-archive.ts';
import { writeArchive } from '../../src/cli/archive/write-archive.ts';
import { createReader, type Reader } from '../../src/reader/reader.ts';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { PROJECT, type RunningServer, startServer } from '../server/running-server.ts';

const OTHER = 'acme/other';
/** More than a question asks for. */
const FEEDBACK = 110;
const LISTED = 4;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spoor-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(async () => await server.close());
  return server;
}

const readerOf = ({ url, apiKey }: RunningServer): Reader => createReader({ url, apiKey, retries: 0 });

/** What there is many of, in two projects. */
async function fill(server: RunningServer): Promise<void> {
  const reader = readerOf(server);
  const effective_date = '2025-01-01T00:00:00Z';
  for (const project_id of [PROJECT, OTHER]) {
    const begun = { project_id, id: 'a', trace_id: 't', op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
    await reader.calls.write([{ mode: 'start', req: { start: { ...begun, attributes: {}, inputs: {} } } }]);
    const price = { completion_token_cost: 1, effective_date };
    const prices = numbers(LISTED).map((index) => [`model-${index}`, { ...price, prompt_token_cost: index + 1 }]);
    await reader.costs.create(Object.fromEntries(prices), { project_id });
    for (const index of numbers(LISTED))
      await reader.page.views.save({ name: `view ${index}`, query: '' }, { project_id });
  }
  const feedback = { project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/a`, feedback_type: 'note' };
  await Promise.all(numbers(FEEDBACK).map((index) => reader.feedback.create({ ...feedback, payload: { index } })));
}

const numbers = (count: number) => [...Array.from({ length: count }).keys()];

async function archiveOf({ url, apiKey }: RunningServer): Promise<string> {
  const file = join(folder, 'archive.jsonl');
  const projects = [PROJECT, OTHER];
  await writeArchive({ url, apiKey }, { file, projects, since: undefined, onProgress: () => undefined });
  return file;
}

function importInto({ url, apiKey }: RunningServer, file: string) {
  const options = { file, home: folder, onProgress: () => undefined, onCheck: () => undefined };
  return importArchive({ url, apiKey }, options);
}

/** How often each path was asked for since a line of the log, which may be a moment behind. */
function askedSince({ log }: RunningServer, line: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { path } of log.slice(line)) counts[String(path)] = (counts[String(path)] ?? 0) + 1;
  return counts;
}

test('prices and views are asked for once in a project, and feedback in groups', async () => {
  const [from, to] = [await start(), await start()];
  await fill(from);
  const file = await archiveOf(from);
  await importInto(to, file);
  // By the import itself, and by the check at its end.
  const asked = { '/cost/query': 4, '/x/views/list': 4, '/feedback/query': 4 };
  const sent = { '/cost/create': 2 * LISTED, '/x/views/save': 2 * LISTED, '/feedback/batch/create': 2 };
  await expect.poll(() => askedSince(to, 0)).toMatchObject({ ...asked, ...sent });
  const { url, apiKey, log } = to;
  const before = log.length;
  await checkArchive({ url, apiKey }, { file, onProgress: () => undefined });
  const checked = { '/cost/query': 2, '/x/views/list': 2, '/feedback/query': 2 };
  await expect.poll(() => askedSince(to, before)).toMatchObject(checked);
});

test('feedback that is there stays, and the rest of its group is sent', async () => {
  const [from, to] = [await start(), await start()];
  await fill(from);
  const file = await archiveOf(from);
  await importInto(to, file);
  const { feedback } = readerOf(to);
  const before = await feedback.query({ project_id: PROJECT });
  await feedback.purge([String(before[50]?.['id'])], { project_id: PROJECT });
  await importInto(to, file);
  const now = await feedback.query({ project_id: PROJECT });
  const timesOf = (all: typeof now) => new Map(all.map(({ id, created_at }) => [id, created_at]));
  const kept = [...timesOf(before)].filter(([id, time]) => timesOf(now).get(id) === time);
  expect({ now: now.length, kept: kept.length }).toEqual({ now: FEEDBACK, kept: FEEDBACK - 1 });
});

test('the first of what differs is named, also in the middle of a group', async () => {
  const [from, to] = [await start(), await start()];
  await fill(from);
  const file = await archiveOf(from);
  const { compared } = await importInto(to, file);
  const { feedback } = readerOf(to);
  const gone = (await feedback.query({ project_id: PROJECT })).slice(30, 32).map(({ id }) => String(id));
  await feedback.purge(gone, { project_id: PROJECT });
  const { url, apiKey } = to;
  await expect(checkArchive({ url, apiKey }, { file, onProgress: () => undefined })).rejects.toThrow(
    `2 of the ${compared} lines of "${file}": the first is feedback "${firstOf(file, gone)}" of ${PROJECT};`,
  );
});

/** The one of some ids of feedback that comes first in an archive. */
function firstOf(file: string, ids: readonly string[]): string | undefined {
  const text = readFileSync(file, 'utf8');
  return [...ids].sort((one, other) => text.indexOf(one) - text.indexOf(other))[0];
}

test('a call of a span is bounded as it was when it came: its attributes and its span each by itself', async () => {
  const limits = { call_bytes: 2000 };
  const [from, to] = [await start({ limits }), await start({ limits })];
  const spanId = '0123456789abcdef';
  const times = { startTimeUnixNano: '1767225600000000000', endTimeUnixNano: '1767225601500000000' };
  const attributes = [{ key: 'topic', value: { stringValue: 'x'.repeat(1200) } }];
  const spans = [{ traceId: spanId + spanId, spanId, name: 'chat', kind: 3, ...times, attributes }];
  const sent = { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: 'x' }, spans }] }] };
  expect((await from.post('/otel/v1/traces', sent, { project_id: PROJECT })).status).toBe(200);
  const mine = { id: 'mine', trace_id: 'mine', op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
  const own = { ...mine, project_id: PROJECT, attributes: { otel_span: { context: 1 } }, inputs: {} };
  await readerOf(from).calls.write([{ mode: 'start', req: { start: own } }]);
  await importInto(to, await archiveOf(from));
  for (const id of [spanId, 'mine']) {
    const [before, after] = await Promise.all(
      [from, to].map((server) => readerOf(server).calls.get(id, { project_id: PROJECT })),
    );
    expect(after).toEqual(before);
  }
  expect(JSON.stringify(await readerOf(to).calls.get(spanId, { project_id: PROJECT }))).not.toContain('EXCEEDS_LIMITS');
});

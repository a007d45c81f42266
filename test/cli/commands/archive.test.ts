import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parseLine } from '../../../src/cli/archive/archive-line.ts';
import { exactReader } from '../../../src/cli/archive/archive-reader.ts';
import { formatTableRef } from '../../../src/protocol/ref.ts';
import { buildOnce } from '../../build.ts';
import { makeHome, runCli, type ServiceProcess, startServiceProcess } from '../../flow/service-process.ts';
import { recorded } from './recorded-traces.ts';

const PROJECT = 'acme/old';
const CALLS = 1200;

interface Place {
  readonly home: string;
  readonly service: ServiceProcess;
}

async function startPlace(): Promise<Place> {
  const { home, remove } = makeHome();
  const service = await startServiceProcess(home);
  onTestFinished(async () => {
    await service.stop();
    remove();
  });
  return { home, service };
}

beforeAll(buildOnce, 120_000);

/** Calls that run, failed, belong to others and have numbers that JavaScript would round; what they name, and feedback. */
async function fill({ service }: Place): Promise<void> {
  const reader = exactReader(service);
  const inProject = { project_id: PROJECT };
  const call = (n: number) => ({
    ...inProject,
    id: `call-${String(n).padStart(5, '0')}`,
    trace_id: `trace-${n % 7}`,
    op_name: 'step',
    inputs: { n, text: `検索 ${n}` },
  });
  const batch = Array.from({ length: CALLS }, (_call, n) => recorded('2026-01-01T00:00:00Z', [n % 40, null], call(n)));
  await reader.calls.write(batch.flat());
  const exact = `{"project_id":"${PROJECT}","id":"exact","trace_id":"exact","op_name":"exact","started_at":"2026-01-02T00:00:00Z","svc_user_id":"ada","attributes":{},"inputs":{"a":1.0,"b":12345678901234567890}}`;
  const ended = `{"project_id":"${PROJECT}","id":"exact","ended_at":"2026-01-02T00:00:01Z","exception":"Error: no","output":1e-7,"summary":{"svc":{"own":1},"x":2.50}}`;
  const file = await reader.files.create({ ...inProject, name: 'obj.ts', bytes: 'function step() {}' });
  const { digest } = await reader.tables.create({
    ...inProject,
    rows: Array.from({ length: 2300 }, (_row, n) => ({ n, media: { _type: 'CustomType', files: { 'a.txt': file } } })),
  });
  const rows = formatTableRef(PROJECT, digest);
  await reader.objects.create({ ...inProject, object_id: 'prompt', val: { text: 'old' } });
  await reader.objects.create({ ...inProject, object_id: 'prompt', val: { text: 'new', rows } });
  await reader.feedback.create({
    ...inProject,
    svc_ref: `svc:///${PROJECT}/call/exact`,
    feedback_type: 'svc.reaction.1',
    payload: { emoji: '👍' },
  });
  const sent = await fetch(`${service.url}/call/upsert_batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: `{"batch":[{"mode":"start","req":{"start":${exact}}},{"mode":"end","req":{"end":${ended}}}]}`,
  });
  expect(sent.status).toBe(200);
}

/** Lines of an archive, without what tells when and by whom something was stored or written. */
function contentOf(file: string): string[] {
  const times = /"(?:created_at|written_at|id)":"(?:20\d\d-[^"]*|[0-9a-f-]{36})"/g;
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(times, '""'));
}

async function exported({ home }: Place, name: string): Promise<string> {
  const file = join(home, name);
  const { code, stdout } = await runCli(home, 'export', file, '--project', PROJECT);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${file} holds 1,201 calls, 2 objects, 1 files, 1 feedbacks\n`,
  });
  return file;
}

test('what was exported and imported is the same: calls, numbers, objects, rows, files, feedback', async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = await exported(from, 'whole.jsonl');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const run = await runCli(to.home, 'import', file);
  expect({ code: run.code, stdout: run.stdout }).toEqual({
    code: 0,
    stdout: `${to.service.url} has all of ${file}: 1,201 calls sent\n`,
  });
  expect(readdirSync(join(to.home, 'imports'))).toEqual([]);
  const again = await runCli(to.home, 'import', file, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ calls: 1201, resumedAt: 0 });
  const copy = await exported(to, 'copy.jsonl');
  expect(contentOf(copy)).toEqual(contentOf(file));
  expect(contentOf(copy).join('\n')).toContain('"inputs":{"a":1.0,"b":12345678901234567890}');
});

test('an export that broke off goes on, wherever it was, and writes the same', { timeout: 120_000 }, async () => {
  const place = await startPlace();
  await fill(place);
  const whole = await exported(place, 'whole.jsonl');
  const bytes = readFileSync(whole);
  const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
  // In the middle of a line, of a character, behind a line; among calls, and what comes after them.
  for (const size of [40, ends[500] ?? 0, (ends[700] ?? 0) + 333, (ends.at(-2) ?? 0) - 10, bytes.length - 1]) {
    const file = join(place.home, `cut-${size}.jsonl`);
    writeFileSync(`${file}.part`, bytes.subarray(0, size));
    await exported(place, `cut-${size}.jsonl`);
    expect(contentOf(file)).toEqual(contentOf(whole));
  }
});

test('a file that is there stays, and so does the part of another export', async () => {
  const place = await startPlace();
  const file = join(place.home, 'archive.jsonl');
  const run = (...args: string[]) => runCli(place.home, 'export', file, ...args);
  writeFileSync(file, 'mine');
  expect(await run()).toMatchObject({ code: 1, stderr: `spoor: "${file}" is there already: --force replaces it\n` });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(await run('--force')).toMatchObject({ code: 0 });
  writeFileSync(`${file}.part`, readFileSync(file));
  const other = await run('--force', '--project', 'acme/other');
  expect(other).toMatchObject({ code: 1 });
  expect(other.stderr).toContain('is of an export with other options');
});

test('an import that broke off goes on where it was', async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = await exported(from, 'whole.jsonl');
  const bytes = readFileSync(file);
  truncateSync(file, bytes.length - 300);
  const first = await runCli(to.home, 'import', file);
  expect(first).toMatchObject({ code: 1, stdout: '' });
  // A slow machine tells before how far it was.
  expect(first.stderr.trimEnd().split('\n').at(-1)).toBe(
    `spoor: "${file}" has no end: the export that wrote it was broken off`,
  );
  writeFileSync(file, bytes);
  const { stdout } = await runCli(to.home, 'import', file, '--json');
  const { calls, resumedAt } = JSON.parse(stdout) as { calls: number; resumedAt: number };
  expect(calls).toBe(0);
  expect(resumedAt).toBeGreaterThan(bytes.length / 2);
  expect(contentOf(await exported(to, 'copy.jsonl'))).toEqual(contentOf(file));
});

test.each([
  ['not an archive', 'is no archive: "spoor export" writes them'],
  ['{"kind":"header","project":"","key":"","value":{"format":2}}\n', 'was written by a newer version: it has format 2'],
  ['{"kind":"header","project":"","key":"","value":{"format":1,"id":"a"}}\nx\n', 'is damaged before byte'],
])('what is no archive is refused: %j', async (text, sentence) => {
  const place = await startPlace();
  const file = join(place.home, 'wrong.jsonl');
  writeFileSync(file, text);
  const { code, stderr } = await runCli(place.home, 'import', file);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^spoor: [^\n]+\n$/m);
  expect(stderr).toContain(sentence);
});

test('each line says what it is', () => {
  expect(parseLine('{"kind":"call","project":"a/\\"b","key":"k","value":{"a":1}}')).toEqual({
    kind: 'call',
    project: 'a/"b',
    key: 'k',
    value: '{"a":1}',
  });
  expect(parseLine('{"kind":"call","project":"a/b"}')).toBeUndefined();
});

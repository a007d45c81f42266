import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseLine } from '../../../src/cli/archive/archive-line.ts';
import { exactReader } from '../../../src/cli/archive/archive-reader.ts';
import { buildOnce } from '../../build.ts';
import { runCli } from '../../flow/service-process.ts';
import { contentOf, exported, fill, PROJECT, startPlace } from './archived.ts';

beforeAll(buildOnce, 120_000);

test(
  'what was exported and imported is the same: calls, numbers, objects, rows, files, feedback',
  { timeout: 120_000 },
  async () => {
    const [from, to] = [await startPlace(), await startPlace()];
    await fill(from);
    const file = await exported(from, 'whole.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const run = await runCli(to.home, 'import', file);
    expect({ code: run.code, stdout: run.stdout }).toEqual({
      code: 0,
      stdout: `${to.service.url} has all of ${file}: 1,201 calls sent, 1,210 lines compared\n`,
    });
    expect(readdirSync(join(to.home, 'imports'))).toEqual([]);
    const again = await runCli(to.home, 'import', file, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ calls: 1201, resumedAt: 0, compared: 1210 });
    const copy = await exported(to, 'copy.jsonl');
    expect(contentOf(copy)).toEqual(contentOf(file));
    expect(contentOf(copy).join('\n')).toContain('"inputs":{"a":1.0,"b":12345678901234567890}');
  },
);

test('an export that broke off goes on, wherever it was, and writes the same', { timeout: 120_000 }, async () => {
  const place = await startPlace();
  await fill(place);
  const whole = await exported(place, 'whole.jsonl');
  const bytes = readFileSync(whole);
  const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
  // In the middle of a line, of a character, behind a line; among calls, and what comes after them; whole, but without its name.
  for (const size of [
    40,
    ends[500] ?? 0,
    (ends[700] ?? 0) + 333,
    (ends.at(-2) ?? 0) - 10,
    bytes.length - 1,
    bytes.length,
  ]) {
    const file = join(place.home, `cut-${size}.jsonl`);
    writeFileSync(`${file}.part`, bytes.subarray(0, size));
    await exported(place, `cut-${size}.jsonl`);
    expect(contentOf(file)).toEqual(contentOf(whole));
  }
});

test('a file that is there stays, and so does the part of another export', { timeout: 120_000 }, async () => {
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

test('an import that broke off goes on where it was', { timeout: 120_000 }, async () => {
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

test('an import tells what the service has otherwise, or does not have', { timeout: 120_000 }, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = await exported(from, 'whole.jsonl');
  const reader = exactReader(to.service);
  const began = { project_id: PROJECT, trace_id: 'theirs', op_name: 'step', attributes: {}, inputs: {} };
  const started_at = '2026-01-01T00:00:00.003Z';
  await reader.calls.write([{ mode: 'start', req: { start: { ...began, id: 'call-00003', started_at } } }]);
  const { code, stdout, stderr } = await runCli(to.home, 'import', file);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    `spoor: ${to.service.url} lacks, or has otherwise, 1 of the 1210 lines of "${file}": the first is call "2026-01-01T00:00:00.003000Z call-00003" of acme/old; what was there before the import, or was deleted there, stays so`,
  );
  await reader.calls.delete(['call-00003', 'call-00004'], { project_id: PROJECT });
  const objects = await reader.objects.query({ project_id: PROJECT });
  await reader.objects.delete('prompt', { project_id: PROJECT, digests: [objects[0]?.digest ?? ''] });
  const again = await runCli(to.home, 'import', file);
  // Objects that are sent again are there again.
  expect(again.stderr).toContain(' lacks, or has otherwise, 2 of the 1210 lines of ');
});

test('calls that have ended since they were exported are no differences', { timeout: 120_000 }, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  const writes = { project_id: PROJECT, id: 'running' };
  const start = {
    ...writes,
    op_name: 'f',
    trace_id: 't',
    started_at: '2026-01-01T00:00:00Z',
    attributes: {},
    inputs: {},
  };
  const end = { ...writes, ended_at: '2026-01-01T00:00:01Z', output: 1, summary: {} };
  await exactReader(from.service).calls.write([{ mode: 'start', req: { start } }]);
  await exactReader(to.service).calls.write([{ mode: 'end', req: { end } }]);
  const file = join(from.home, 'running.jsonl');
  expect(await runCli(from.home, 'export', file, '--project', PROJECT)).toMatchObject({ code: 0 });
  expect(await runCli(to.home, 'import', file)).toMatchObject({ code: 0 });
});

test(
  'a call that began otherwise than in the archive is a difference, also where it has ended since',
  {
    timeout: 120_000,
  },
  async () => {
    const [from, to] = [await startPlace(), await startPlace()];
    const began = { project_id: PROJECT, id: 'running', op_name: 'f', trace_id: 't', attributes: {} };
    const start = { ...began, started_at: '2026-01-01T00:00:00Z' };
    const end = { project_id: PROJECT, id: 'running', ended_at: '2026-01-01T00:00:01Z', output: 1, summary: {} };
    await exactReader(from.service).calls.write([{ mode: 'start', req: { start: { ...start, inputs: { a: 1 } } } }]);
    await exactReader(to.service).calls.write([
      { mode: 'start', req: { start: { ...start, inputs: { a: 2 } } } },
      { mode: 'end', req: { end } },
    ]);
    const file = join(from.home, 'running.jsonl');
    expect(await runCli(from.home, 'export', file, '--project', PROJECT)).toMatchObject({ code: 0 });
    const { code, stderr } = await runCli(to.home, 'import', file);
    expect(code).toBe(1);
    expect(stderr).toContain('lacks, or has otherwise, 1 of the 1 lines');
  },
);

test('what differed is sent again once it is out of the way', { timeout: 120_000 }, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = await exported(from, 'whole.jsonl');
  const reader = exactReader(to.service);
  const [theirs] = await exactReader(from.service).feedback.query({ project_id: PROJECT });
  const id = String(theirs?.['id']);
  const about = { project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/exact`, feedback_type: 'svc.note.1' };
  await reader.feedback.create({ ...about, id, payload: { note: 'mine' } });
  const first = await runCli(to.home, 'import', file);
  expect(first.stderr).toContain('lacks, or has otherwise, 1 of the 1210 lines');
  await reader.feedback.purge([id], { project_id: PROJECT });
  expect(await runCli(to.home, 'import', file)).toMatchObject({ code: 0 });
});

test('lines behind the end of an archive are damage', { timeout: 120_000 }, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = await exported(from, 'whole.jsonl');
  const lines = readFileSync(file, 'utf8');
  writeFileSync(file, `${lines}${lines.trimEnd().split('\n').at(-1) ?? ''}\n`);
  const { code, stderr } = await runCli(to.home, 'import', file);
  expect({ code, said: stderr.includes('is damaged') }).toEqual({ code: 1, said: true });
});

test('an archive that was changed is refused at its end', { timeout: 120_000 }, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = await exported(from, 'whole.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"n":17,', '"n":18,'));
  const { code, stderr } = await runCli(to.home, 'import', file);
  expect(code).toBe(1);
  expect(stderr).toContain(`spoor: "${file}" is damaged: it is not what its export has written\n`);
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

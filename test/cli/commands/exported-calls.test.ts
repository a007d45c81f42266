import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { exactReader } from '../../../src/cli/archive/archive-reader.ts';
import { buildOnce } from '../../build.ts';
import { runCli } from '../../flow/service-process.ts';
import { fill, type Place, PROJECT, startPlace } from './archived.ts';

beforeAll(buildOnce, 120_000);

const TIME = { timeout: 120_000 };

/** The calls of a project as a service sends them. */
async function textsOf({ service }: Place): Promise<string[]> {
  const answer = await fetch(`${service.url}/calls/stream_query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: PROJECT }),
  });
  return (await answer.text()).trimEnd().split('\n').toSorted();
}

const idsIn = (text: string): string[] => text.match(/(?<=^\{"id":")[^"]+/gm) ?? [];

test('calls that a filter finds are exported whole, imported elsewhere, and the same there', TIME, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = join(from.home, 'some.jsonl');
  const run = await runCli(from.home, 'export', file, '--project', PROJECT, '-f', 'input.n>=100 or op:exact');
  expect(run).toMatchObject({ code: 0, stdout: `${file} holds 1,101 calls, and nothing that they refer to\n` });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('"inputs":{"a":1.0,"b":12345678901234567890}');
  for (let time = 0; time < 2; time++) {
    expect(await runCli(to.home, 'import', file)).toMatchObject({
      code: 0,
      stdout: `${to.service.url} has all of ${file}: 1,101 calls sent, 1,101 lines compared\n`,
    });
  }
  const ids = new Set(idsIn(text));
  expect(ids.size).toBe(1101);
  const exported = (await textsOf(from)).filter((call) => ids.has(idsIn(call)[0] ?? ''));
  expect(await textsOf(to)).toEqual(exported);
});

test('an import says which call the service has otherwise, and where a file is damaged', TIME, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = join(from.home, 'some.jsonl');
  await runCli(from.home, 'export', file, '--project', PROJECT, '-f', 'op:step input.n<3');
  const reader = exactReader(to.service);
  const [id = ''] = idsIn(readFileSync(file, 'utf8'));
  const other = { project_id: PROJECT, id, trace_id: 'other', op_name: 'other', started_at: '2026-01-01T00:00:00Z' };
  await reader.calls.write([{ mode: 'start', req: { start: { ...other, inputs: {} } } }]);
  const run = await runCli(to.home, 'import', file);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(`1 of the 3 calls of "${file}": the first is call "${id}" of ${PROJECT};`);
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [lines[0], '{"id":"cut', ''].join('\n'));
  expect((await runCli(to.home, 'import', file)).stderr).toContain(`"${file}" is damaged before byte`);
  const whole = `\uFEFF${lines[1]}\r\n`;
  writeFileSync(file, whole);
  expect(await runCli(to.home, 'import', file)).toMatchObject({ code: 0 });
  for (const rest of [lines[2] ?? '', '{"id":"cut']) {
    writeFileSync(file, whole + rest);
    const cut = await runCli(to.home, 'import', file);
    expect(cut.code).toBe(1);
    expect(cut.stderr).toContain(`"${file}" is cut behind byte ${Buffer.byteLength(whole)}`);
  }
});

test('a file that is there stays, all projects have no filter, and nothing found is an empty file', TIME, async () => {
  const place = await startPlace();
  const file = join(place.home, 'calls.jsonl');
  const run = (...args: string[]) => runCli(place.home, 'export', file, '--project', PROJECT, ...args);
  expect(await run('-f', 'op:none')).toMatchObject({
    code: 0,
    stdout: `${file} holds 0 calls, and nothing that they refer to\n`,
  });
  expect(readFileSync(file, 'utf8')).toBe('');
  expect(await runCli(place.home, 'import', file)).toMatchObject({ code: 0 });
  expect(await run('-f', ' ', '--force')).toMatchObject({ code: 2 });
  // An archive that was broken off goes on from its part.
  writeFileSync(`${file}.part`, 'of an archive');
  expect(await run('-f', 'op:none', '--force')).toMatchObject({ code: 0 });
  expect(readFileSync(`${file}.part`, 'utf8')).toBe('of an archive');
  writeFileSync(file, 'mine');
  expect(await run('-f', 'op:none')).toMatchObject({ code: 1 });
  expect(await run('-f', 'op:none', '--force', '--all')).toMatchObject({ code: 2 });
  expect(await run('-f', 'latency>', '--force')).toMatchObject({ code: 2 });
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

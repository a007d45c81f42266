import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildOnce } from '../build.ts';
import { headerLine } from '../../src/spool/segment-format.ts';
import { runProgram } from './program.ts';
import { makeHome, post, runCli, type ServiceProcess, startServiceProcess } from './service-process.ts';

// Records on disk whose file was damaged there: what is whole arrives, and the rest is neither hidden nor thrown away.

const PROJECT = 'local/flow';

function record(id: string, text = ''): Buffer {
  const call = { project_id: PROJECT, id, op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
  return Buffer.from(
    `${JSON.stringify({ mode: 'start', req: { start: { ...call, attributes: {}, inputs: { text } } } })}\n`,
  );
}

interface Damage {
  readonly kind: string;
  /** Lines of the segment behind its header. */
  readonly lines: readonly Buffer[];
  /** Which records arrive. */
  readonly whole: readonly string[];
  /** Lines that are lost; 0: the segment is gone afterwards, as a whole one. */
  readonly lost: number;
}

const garbage = Buffer.from('\u0001{"mode":"sta\n');
const cut = (line: Buffer, from: number, to = line.length) =>
  Buffer.concat([line.subarray(0, from), line.subarray(to)]);

/** A text with letters of two bytes, cut within one of them. */
function cutLetter(id: string): Buffer {
  const line = record(id, 'ööö');
  const at = line.indexOf(0xb6);
  return cut(line, at, at + 1);
}

function zeroed(line: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.from(line);
  return copy.fill(0, from, to);
}

const DAMAGES: readonly Damage[] = [
  { kind: 'whole', lines: [record('whole-1'), record('whole-2')], whole: ['whole-1', 'whole-2'], lost: 0 },
  { kind: 'torn at its end', lines: [record('torn-1'), record('torn-2').subarray(0, 40)], whole: ['torn-1'], lost: 0 },
  { kind: 'zeros at its end', lines: [record('zeros-1'), Buffer.alloc(5000)], whole: ['zeros-1'], lost: 0 },
  { kind: 'first line', lines: [garbage, record('first-1')], whole: ['first-1'], lost: 1 },
  {
    kind: 'middle line',
    lines: [record('middle-1'), cut(record('middle-x'), 20, 60), record('middle-2')],
    whole: ['middle-1', 'middle-2'],
    lost: 1,
  },
  { kind: 'last line', lines: [record('last-1'), garbage], whole: ['last-1'], lost: 1 },
  {
    kind: 'many lines',
    lines: Array.from({ length: 500 }, (_, index) => (index % 5 === 0 ? record(`many-${index}`) : garbage)),
    whole: Array.from({ length: 100 }, (_, index) => `many-${index * 5}`),
    lost: 400,
  },
  {
    kind: 'zeros over a line break',
    lines: [
      record('break-1'),
      zeroed(
        Buffer.concat([record('break-x'), record('break-y')]),
        record('break-x').length - 30,
        record('break-x').length + 30,
      ),
      record('break-2'),
    ],
    whole: ['break-1', 'break-2'],
    lost: 1,
  },
  { kind: 'cut letter', lines: [cutLetter('letter-x'), record('letter-1', 'ööö')], whole: ['letter-1'], lost: 1 },
  {
    kind: 'enormous line',
    lines: [record('large-1'), Buffer.concat([Buffer.alloc(20_000_000, 'x'), Buffer.from('\n')]), record('large-2')],
    whole: ['large-1', 'large-2'],
    lost: 1,
  },
];

let home: string;
let service: ServiceProcess;
let cleanUp: (() => unknown)[];

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  cleanUp = [made.remove];
  mkdirSync(join(home, 'spool'));
});
afterEach(async () => {
  for (const step of cleanUp.toReversed()) await step();
});

async function serveIn(folder: string): Promise<void> {
  const started = await startServiceProcess(folder, ['--log-level', 'warn', '--storage', 'memory']);
  service = started;
  cleanUp.push(() => started.stop());
}

async function serveElsewhere(): Promise<void> {
  const made = makeHome();
  cleanUp.push(made.remove);
  await serveIn(made.home);
}

const stemOf = (index: number) => `17672256000${String(index).padStart(2, '0')}-0000abcd`;

function leave(url: string | null): void {
  for (const [index, { lines }] of DAMAGES.entries()) {
    const header = Buffer.from(headerLine({ url, project: PROJECT }));
    writeFileSync(join(home, 'spool', `${stemOf(index)}.free.jsonl`), Buffer.concat([header, ...lines]));
  }
}

const files = () => readdirSync(join(home, 'spool')).sort();
const keptNames = DAMAGES.flatMap(({ lost }, index) => (lost > 0 ? [`${stemOf(index)}.damaged`] : []));
const lost = DAMAGES.reduce((sum, damage) => sum + damage.lost, 0);

/** All that is whole has arrived, all else is kept and named. */
async function verify(): Promise<void> {
  const answer = await post(service, '/calls/stream_query', { project_id: PROJECT, columns: ['id'] });
  const lines = (await answer.text()).split('\n').filter((line) => line !== '');
  const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids.filter((id) => /-\d+$/.test(id)).toSorted()).toEqual(DAMAGES.flatMap(({ whole }) => whole).toSorted());
  expect(files().filter((name) => !name.endsWith('.jsonl'))).toEqual(keptNames);
  const middle = DAMAGES.findIndex(({ kind }) => kind === 'middle line');
  expect(readFileSync(join(home, 'spool', `${stemOf(middle)}.damaged`)).includes('middle-1')).toBe(true);
  const { stdout } = await runCli(home, 'doctor', '--json', '--url', service.url, '--key', service.apiKey);
  const { findings } = JSON.parse(stdout) as { findings: { about: string; level: string; message: string }[] };
  const damaged = findings.filter(({ about }) => about === 'damaged records');
  expect(damaged).toMatchObject([{ level: 'warning' }]);
  expect(damaged[0]?.message).toContain(`${keptNames.length} files`);
  expect(damaged[0]?.message).toContain(join(home, 'spool', keptNames[0] ?? ''));
}

test('the next process delivers what is whole of damaged segments, keeps them aside and says so', async () => {
  await serveElsewhere();
  leave(service.url);
  const environment = { SPOOR_URL: service.url, SPOOR_API_KEY: service.apiKey };
  const source = `init({ onError: ({ kind, count }) => console.error(kind, count) });
    step(1);
    await flush();
    const wait = setInterval(() => {
      if (stats().damaged < ${lost}) return;
      clearInterval(wait);
      console.error('damaged', stats().damaged);
    }, 20);`;
  const { code, stderr } = await runProgram(home, source, environment);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^spool-damaged [1-9]\d*$/m);
  expect(stderr).toContain(`damaged ${lost}\n`);
  await verify();
});

test('"spoor drain" delivers what is whole of damaged segments, keeps them aside and says so', async () => {
  await serveElsewhere();
  leave(service.url);
  const to = ['--url', service.url, '--key', service.apiKey];
  const { code, stdout } = await runCli(home, 'drain', '--json', ...to);
  expect(JSON.parse(stdout)).toMatchObject({
    segments: DAMAGES.length,
    damaged: lost,
    kept: keptNames.map((name) => join(home, 'spool', name)),
    failure: null,
    waiting: 0,
  });
  expect(code).toBe(1);
  await verify();
});

test('the service takes in what is whole of damaged segments, keeps them aside, logs and counts it', async () => {
  leave(null);
  await serveIn(home);
  await vi.waitFor(() => expect(files().filter((name) => name.endsWith('.jsonl'))).toEqual([]), { timeout: 20_000 });
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.apiKey}` } });
  const metrics = await answer.text();
  expect(metrics).toContain(`\nspoor_spool_damaged_segments_total ${keptNames.length}\n`);
  expect(metrics).toContain(`\nspoor_spool_damaged_records_total ${lost}\n`);
  for (const name of keptNames) expect(service.stderr).toContain(name);
  await verify();
});

const HEADLESS = ['\u0000\u0000{"format"\n', '{}\n', `${'x'.repeat(9000)}\n`, '{"format":1,"target":{}}\n', '\n'];

/** Of a version that is not ours. */
const OF_TOMORROW = '{"format":2,"target":{"url":null,"project":"local/flow"}}\n';
const HEADER = headerLine({ url: null, project: PROJECT });
/** Of programs that were killed while they began. */
const UNBEGUN = Array.from({ length: HEADER.length }, (_, length) => HEADER.slice(0, length));

function leaveText(index: number, text: string): void {
  writeFileSync(join(home, 'spool', `${stemOf(index)}.free.jsonl`), text);
}

function leaveHeadless(): string[] {
  const aside = HEADLESS.map((header, index) => {
    const content = Buffer.concat([
      Buffer.from(header),
      ...Array.from({ length: index + 1 }, () => record(`h-${index}`)),
    ]);
    writeFileSync(join(home, 'spool', `${stemOf(index)}.free.jsonl`), content);
    return join(home, 'spool', `${stemOf(index)}.damaged`);
  });
  leaveText(5, OF_TOMORROW + String(record('n')));
  for (const [index, text] of UNBEGUN.entries()) leaveText(6 + index, text);
  return aside;
}

const HEADLESS_RECORDS = 1 + 2 + 3 + 4 + 5;

/** Files whose header is whole, in whatever version. What was never begun holds nothing, and is gone. */
const staying = () => files().filter((name) => name.endsWith('.jsonl'));

test('segments whose header is damaged are kept aside and counted by "spoor drain", those of other versions stay', async () => {
  await serveElsewhere();
  const aside = leaveHeadless();
  const { stdout } = await runCli(home, 'drain', '--json', '--url', service.url, '--key', service.apiKey);
  expect(JSON.parse(stdout)).toMatchObject({ segments: 0, damaged: HEADLESS_RECORDS, kept: aside });
  expect(staying()).toHaveLength(1);
});

test('the same by the next program', async () => {
  await serveElsewhere();
  leaveHeadless();
  const environment = { SPOOR_URL: service.url, SPOOR_API_KEY: service.apiKey };
  const source = `step(1); await flush();
    const wait = setInterval(() => {
      if (stats().damaged < ${HEADLESS_RECORDS}) return;
      clearInterval(wait);
      console.error('damaged', stats().damaged);
    }, 20);`;
  const { stderr } = await runProgram(home, source, environment);
  expect(stderr).toContain(`damaged ${HEADLESS_RECORDS}\n`);
  expect(staying()).toHaveLength(1);
});

test('the same by the service, and the doctor names them', async () => {
  const aside = leaveHeadless();
  await serveIn(home);
  await vi.waitFor(() => expect(staying()).toHaveLength(1), { timeout: 20_000 });
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.apiKey}` } });
  expect(await answer.text()).toContain(`\nspoor_spool_damaged_records_total ${HEADLESS_RECORDS}\n`);
  const { stdout } = await runCli(home, 'doctor');
  expect(stdout).toContain('! waiting records: 1 segment,');
  expect(stdout).toContain(aside[0]);
});

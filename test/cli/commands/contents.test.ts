import { expect, test } from 'vitest';
import { digestBytes } from '../../../src/protocol/values/digest.ts';
import { formatTableRef } from '../../../src/protocol/ref.ts';
import { runCli, runNode, ROOT } from '../../flow/service-process.ts';
import { PROJECT, useMemoryService } from './memory-service.ts';
import { recorded, ticketTrace } from './recorded-traces.ts';

const DAY = '2026-01-02T10:00:00Z';
const SOURCE = 'function answer(question) {\n  return question;\n}\n';

const memoryService = useMemoryService(async (reader) => {
  const other = { project_id: 'acme/other', trace_id: 'other', id: 'other', op_name: 'tick' };
  const turn = { trace_id: 'turn', id: 'turn', thread_id: 'chat-7', turn_id: 'turn', op_name: 'talk' };
  await reader.calls.write([
    ...ticketTrace(DAY),
    ...recorded('2026-01-03T10:00:00Z', [0, 500], turn),
    ...recorded('2026-01-01T10:00:00Z', [0, 1], other),
  ]);
  await reader.objects.create({ object_id: 'prompt-qa', val: 'Answer' });
  await reader.objects.create({ object_id: 'prompt-qa', val: { text: 'Answer \u001b[31m{q}' } });
  const { digest } = await reader.tables.create({ rows: Array.from({ length: 12 }, (_row, n) => ({ n })) });
  const rows = formatTableRef(PROJECT, digest);
  await reader.objects.create({
    object_id: 'qa',
    val: { _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'], rows },
  });
  const file = await reader.files.create({ name: 'obj.ts', bytes: SOURCE });
  const op = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.ts': file } };
  await reader.objects.create({ object_id: 'answer', val: op });
  const svc_ref = `svc:///${PROJECT}/call/ticket-3`;
  await reader.feedback.create({ svc_ref, feedback_type: 'svc.note.1', payload: { note: 'Wrong' }, creator: 'Ada' });
  await reader.feedback.create({ svc_ref: `svc:///${PROJECT}/call/turn`, feedback_type: 'mine', payload: { a: 1 } });
});

function printed(...args: string[]): Promise<string[]> {
  return printedIn('UTC', ...args);
}

/** With the clock of a zone. */
async function printedIn(TZ: string, ...args: string[]): Promise<string[]> {
  const { home } = memoryService();
  const run = await runNode([`${ROOT}/dist/cli/bin.cjs`, ...args, '--project', PROJECT], { home, env: { TZ } });
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
  return run.stdout.trimEnd().split('\n');
}

async function json(...args: string[]): Promise<unknown> {
  const { stdout } = await memoryService().run(...args, '--json');
  return JSON.parse(stdout);
}

test('projects are listed with their calls, the one that is meant marked', async () => {
  expect(await printed('projects')).toEqual([
    '   project     calls  failed  last call',
    '*  acme/demo       7       2  2026-01-03 10:00:00',
    '   acme/other      1       0  2026-01-01 10:00:00',
  ]);
  expect(await json('projects')).toEqual(await memoryService().reader.page.projects());
});

test.each([
  ['projects', '*  acme/demo       7       2  2026-01-03 15:30:00'],
  ['threads', '2026-01-03 15:30:00  chat-7      1       2    500 ms   3,902  no price'],
])('times of %s are those of the zone of the user', async (command, line) => {
  expect(await printedIn('Asia/Kolkata', command)).toContain(line);
});

test('threads are listed with turns, tokens and what has no price', async () => {
  expect(await printed('threads')).toEqual([
    'last                 thread  turns  failed  p50 turn  tokens      cost',
    '2026-01-03 10:00:00  chat-7      1       2    500 ms   3,902  no price',
  ]);
  expect(await json('threads')).toMatchObject([{ thread_id: 'chat-7', turn_count: 1, errors: 2, cost: null }]);
  expect(await memoryService().run('threads', '--since', '1m')).toMatchObject({ code: 0, stdout: '' });
});

test('objects are listed, each by its newest version, and ops apart', async () => {
  const [head, ...lines] = await printed('objects');
  expect(head).toMatch(/^time +name +class +versions +size +digest$/);
  expect(lines.map((line) => line.split(/ {2,}/).slice(1, 3))).toEqual([
    ['qa', 'Dataset'],
    ['prompt-qa', '2'],
  ]);
  expect(await json('objects', '--ops')).toMatchObject([{ object_id: 'answer', kind: 'op', val: {} }]);
});

test('an object is printed with its value, as text without escapes', async () => {
  const lines = await printed('object', 'prompt-qa');
  expect(lines[0]).toMatch(/^prompt-qa · v1 \(latest\) · 20\d\d-/);
  expect(lines[1]).toMatch(/^svc:\/\/\/acme\/demo\/object\/prompt-qa:/);
  expect(lines.slice(2)).toEqual(['', '{', String.raw`  "text": "Answer \u001b[31m{q}"`, '}']);
});

test('a version is named by its number, its digest, or a reference', async () => {
  const digest = digestBytes('"Answer"');
  const [first, byDigest, byRef] = [
    await printed('object', 'prompt-qa', '--at', 'v0'),
    await printed('object', 'prompt-qa', '--at', digest),
    await printed('object', `svc:///${PROJECT}/object/prompt-qa:${digest}`),
  ];
  expect(first.slice(-1)).toEqual(['Answer']);
  expect([byDigest, byRef]).toEqual([first, first]);
  expect(await json('object', 'prompt-qa', '--at', 'v0')).toMatchObject({ val: 'Answer', digest, version_index: 0 });
});

test('versions of an object are listed, the newest first', async () => {
  const lines = await printed('object', 'prompt-qa', '--versions');
  expect(lines.map((line) => line.split(' ', 1)[0])).toEqual(['version', 'v1', 'v0']);
});

test('of an op the source is printed, of a dataset the first rows', async () => {
  expect((await printed('object', 'answer')).slice(3)).toEqual(SOURCE.trimEnd().split('\n'));
  const lines = await printed('object', 'qa');
  expect(lines).toContain('12 rows');
  expect(lines.slice(-2)).toEqual(['  {"n":9}', '  … 2 more']);
});

test.each([
  [['object', 'nothing'], 'spoor: There is no object "nothing" in this project: "spoor objects" lists them\n'],
  [
    ['object', 'qa', '--at', 'v7'],
    'spoor: There is no version "v7" of "qa": "spoor object qa --versions" lists them\n',
  ],
])('%j names nothing, and says where to look', async (args, stderr) => {
  expect(await memoryService().run(...args)).toEqual({ code: 1, signal: null, stdout: '', stderr });
});

test('feedback is listed with what it says and on what', async () => {
  const lines = await printed('feedback');
  expect(lines.map((line) => line.split(/ {2,}/).slice(1))).toEqual([
    ['type', 'value', 'on', 'by'],
    ['mine', '{"a":1}', 'turn', 'local'],
    ['note.1', 'Wrong', 'ticket-3', 'Ada'],
  ]);
  expect(await json('feedback', '--on', 'ticket-3')).toMatchObject([{ feedback_type: 'svc.note.1', creator: 'Ada' }]);
  expect(await json('feedback', '--type', 'mine')).toMatchObject([{ payload: { a: 1 } }]);
});

test('text is searched in inputs and outputs of all calls', async () => {
  expect(await printed('search', 'A', 'PLAN')).toEqual([
    'time                 status   name  text    call',
    '2026-01-02 10:00:00  success  chat  a plan  ticket-3',
  ]);
  expect(await json('search', 'hello', '-f', 'op:chat')).toMatchObject([{ id: 'ticket-3' }]);
  expect(await json('search', 'hello', '-f', 'op:plan or op:talk')).toEqual([]);
  expect(await json('search', 'say "hello" \\')).toEqual([]);
});

test.each(['threads', 'objects', 'feedback', 'ls'])(
  '%s of a project without any says where there is some',
  async (name) => {
    const { home } = memoryService();
    const things = name === 'ls' ? 'traces' : name;
    expect(await runCli(home, name, '--project', 'nobody')).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: `No such ${things} in project local/nobody; --project names another: acme/demo, acme/other\n`,
    });
  },
);

import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../../build.ts';
import { runProgram } from '../../flow/program.ts';
import {
  type Finished,
  makeHome,
  runCli,
  type ServiceProcess,
  startServiceProcess,
} from '../../flow/service-process.ts';

/** Asks a model about what was found, and sends the answer. Nothing but what a test puts in another place differs between runs. */
const PROGRAM = `
const { publish, StringPrompt, current } = spoor;
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
const prompt = new StringPrompt({ name: 'prompt-qa', content: 'Answer: {question}' });
const settings = { model: 'gpt-a', temperature: 0.2 };
const index = ['a spoor is a track'];

const search = traced(async function search(text) {
  await wait(1);
  return index;
}, { kind: 'retriever' });

const chat = traced(async function chat(request) {
  current().usage(request.model, { input: 10 + Math.floor(Math.random() * 10), output: 5 });
  return { id: 'chatcmpl-' + randomUUID(), created: Math.floor(Date.now() / 1000), text: request.messages[0].content };
}, { kind: 'llm' });

const send = traced(async function send(text) {
  if (process.env.MAIL_IS_DOWN) throw new Error('550 mailbox unavailable');
  return { sent: text.length, at: new Date().toISOString(), call: current().id };
}, { kind: 'tool' });

const plan = traced(function plan(question) {
  return ['search', question];
});

const answer = traced(async function answer(question, promptRef) {
  const [, text] = plan(question);
  const found = await search(text);
  const asked = JSON.stringify({ call: current().id, at: new Date().toISOString(), tool: 'call_' + randomUUID() });
  const content = prompt.format({ question }) + found.join(' ') + asked;
  const { text: reply } = await chat({ ...settings, messages: [{ role: 'user', content }] });
  await send(reply);
  return reply;
});

await answer('What is a spoor?', publish(prompt)).catch(() => undefined);
await flush();
`;

const made = makeHome();
let service: ServiceProcess | undefined;

beforeAll(async () => {
  await buildOnce();
  service = await startServiceProcess(made.home, ['--storage', 'memory']);
}, 120_000);

afterAll(async () => {
  await service?.stop();
  made.remove();
});

interface Planted {
  /** A text of the program and what stands in its place in the second run. */
  readonly replace?: readonly [string, string];
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the program as it is and as it is changed, in a project of its own. */
async function runBoth(project: string, { replace, env = {} }: Planted): Promise<void> {
  const source = replace === undefined ? PROGRAM : PROGRAM.replace(...replace);
  expect(source === PROGRAM).toBe(replace === undefined);
  for (const run of [
    { source: PROGRAM, env: {} },
    { source, env },
  ]) {
    const ended = await runProgram(made.home, run.source, { ...run.env, SPOOR_PROJECT: project });
    expect(ended).toMatchObject({ code: 0 });
  }
}

function diff(project: string, ...args: string[]): Promise<Finished> {
  return runCli(made.home, 'diff', ...args, '--project', project);
}

interface Told {
  readonly isSame: boolean;
  readonly origins: readonly { readonly kind: string; readonly op: string }[];
  readonly calls: readonly unknown[];
}

async function told(project: string): Promise<Told> {
  const { stdout, stderr } = await diff(project, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Told;
}

test.each<[string, string, Planted, object, string]>([
  [
    'code',
    'local/code',
    { replace: ["return ['search', question];", "return ['search', question.toLowerCase()];"] },
    { kind: 'code', op: 'plan' },
    'code of plan: v0 → v1',
  ],
  [
    'a prompt',
    'local/prompt',
    { replace: ['Answer: {question}', 'Answer in one word: {question}'] },
    { kind: 'object', op: 'answer' },
    'object prompt-qa: v0 → v1, which answer is given',
  ],
  [
    'the model',
    'local/model',
    { replace: ["'gpt-a'", "'gpt-b'"] },
    { kind: 'model', op: 'chat' },
    'model of chat: request.model: "gpt-a" → "gpt-b"',
  ],
  [
    'the temperature',
    'local/temperature',
    { replace: ['temperature: 0.2', 'temperature: 0.9'] },
    { kind: 'settings', op: 'chat' },
    'settings of chat: request.temperature: 0.2 → 0.9',
  ],
  [
    'the input',
    'local/input',
    { replace: ['What is a spoor?', 'Who left it?'] },
    { kind: 'input', op: 'answer' },
    'input of answer: question',
  ],
  [
    'a document',
    'local/document',
    { replace: ['a spoor is a track', 'a spoor is a scent'] },
    { kind: 'output', op: 'search' },
    'output of search, which is given the same',
  ],
  [
    'a tool that fails',
    'local/tool',
    { env: { MAIL_IS_DOWN: '1' } },
    { kind: 'output', op: 'send' },
    'send, which is given the same, fails in B',
  ],
])('what was changed between two runs is named: %s', async (_what, project, planted, origin, sentence) => {
  await runBoth(project, planted);
  const { isSame, origins } = await told(project);
  expect(origins).toMatchObject([origin]);
  expect(isSame).toBe(false);
  const { stdout, code } = await diff(project, '--exit-code');
  expect(stdout.split('\n')[3]).toBe(sentence);
  expect(code).toBe(1);
});

test.each([
  ['a trace that is nowhere', '0'.repeat(32)],
  ['an address without a service', '--url', 'http://127.0.0.1:9'],
])('%s is no difference: the code is another one', async (_what, ...args) => {
  const without = await diff('local/nowhere', ...args);
  expect(without.code).toBe(1);
  expect(await diff('local/nowhere', ...args, '--exit-code')).toEqual({ ...without, code: 2 });
});

test('a slower run and all that is new in each are no difference', async () => {
  // What waits stands in no traced function: the code is the same.
  await runBoth('local/noise', { replace: ["import { setTimeout as wait } from 'node:timers/promises';", SLOWER] });
  expect(await told('local/noise')).toMatchObject({ isSame: true, origins: [] });
  const same = await diff('local/noise', '--exit-code');
  // Of a machine that stands still it is said how much longer that took.
  const lines = same.stdout.split('\n').filter((line) => !line.includes('time of '));
  expect(lines).toEqual(expect.arrayContaining(['Nothing differs but numbers.', '= 5 calls alike']));
  expect(same.code).toBe(0);
});

const SLOWER = 'const wait = () => new Promise((resolve) => setTimeout(resolve, 20));';

test('the source of an op that was changed is told where it is all that was changed', async () => {
  await runBoth('local/source', { replace: ["return ['search', question];", "return ['find', question];"] });
  const { stdout } = await diff('local/source');
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toContain("−   return ['search', question];");
  expect(lines).toContain("+   return ['find', question];");
});

test('the trace before is A wherever it is named; there may be none', async () => {
  await runBoth('local/prev', { replace: ['temperature: 0.2', 'temperature: 0.9'] });
  const { stdout } = await runCli(made.home, 'ls', '--json', '--project', 'local/prev');
  const [later = '', earlier = ''] = (JSON.parse(stdout) as { trace_id: string }[]).map((trace) => trace.trace_id);
  const sidesOf = async (...args: string[]) => {
    const { a, b } = JSON.parse((await diff('local/prev', '--json', ...args)).stdout) as Record<'a' | 'b', object>;
    return { a, b };
  };
  const sides = { a: { trace_id: earlier }, b: { trace_id: later } };
  for (const args of [[], [later], [later, 'prev'], ['prev', later], [earlier, later]])
    expect(await sidesOf(...args)).toMatchObject(sides);
  expect(await sidesOf(later, earlier)).toMatchObject({ a: sides.b, b: sides.a });
  expect(await diff('local/prev', earlier)).toMatchObject({
    code: 1,
    stderr: `spoor: There is no trace of the same op before ${earlier}\n`,
  });
  expect(await diff('local/prev', 'prev', 'prev')).toMatchObject({ code: 2 });
});

test('two calls are compared with what is below them, also those of two projects', async () => {
  const idsOf = async (project: string) => {
    const { stdout } = await runCli(made.home, 'show', '--json', '--project', project);
    const { calls } = JSON.parse(stdout) as { calls: { id: string; op_name: string }[] };
    return calls.find(({ op_name: op }) => op.includes('/op/chat:'))?.id ?? '';
  };
  const { stdout } = await diff('local/model', await idsOf('local/temperature'), await idsOf('local/model'), '--json');
  const { origins, calls } = JSON.parse(stdout) as Told;
  expect(calls).toHaveLength(1);
  expect(origins).toMatchObject([{ kind: 'model', op: 'chat', cause: { changes: [{ b: 'gpt-b' }, { a: 0.9 }] } }]);
});

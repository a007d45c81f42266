import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { toPlainText } from '../../../src/cli/output/plain-text.ts';
import { CALLS } from '../../../src/ui/address/pages.ts';
import { runCli, runNode, ROOT } from '../../flow/service-process.ts';
import { useMemoryService } from './memory-service.ts';
import { recorded, TICKET_TRACE, ticketTrace } from './recorded-traces.ts';

const DAY = '2026-01-02T10:00:00Z';

const memoryService = useMemoryService((reader) =>
  reader.calls.write([
    ...ticketTrace(DAY),
    ...recorded('2026-01-01T10:00:00Z', [0, 0.4], { id: 'old', trace_id: 'old-trace', op_name: 'tick' }),
    ...recorded('2026-01-03T10:00:00Z', [0, null], {
      id: 'new',
      trace_id: 'new-trace',
      op_name: 'watch',
      display_name: 'guard\u001b[31m',
    }),
    ...recorded('2026-01-03T10:00:00Z', [1, 2], {
      id: 'new-2',
      trace_id: 'new-trace',
      parent_id: 'new',
      op_name: 'look',
    }),
  ]),
);

async function namesOf(...args: string[]): Promise<string[]> {
  const { stdout, code, stderr } = await memoryService().run('ls', '--json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

test('the table has a line per trace, newest first', async () => {
  const { home } = memoryService();
  const { stdout, code } = await runNode([`${ROOT}/dist/cli/bin.cjs`, 'ls', '--project', 'acme/demo'], {
    home,
    env: { TZ: 'UTC' },
  });
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'time                 name           op             status       duration  tokens             cost  calls  trace',
    '2026-01-03 10:00:00  guard          watch          never ended                                         2  new-trace',
    `2026-01-02 10:00:00  answer_ticket  answer_ticket  error          4.12 s   3,902  no price: gpt-x      6  ${TICKET_TRACE}`,
    '2026-01-01 10:00:00  tick           tick           success        0.4 ms                               1  old-trace',
    '',
  ]);
});

test('times are those of the zone of the user', async () => {
  const { home } = memoryService();
  const args = [`${ROOT}/dist/cli/bin.cjs`, 'ls', '--project', 'acme/demo', '--thread', 'chat-7'];
  const { stdout } = await runNode(args, { home, env: { TZ: 'Asia/Kolkata' } });
  expect(stdout.split('\n')[1]).toMatch(/^2026-01-02 15:30:00 {2}answer_ticket /);
});

test('--json prints the fields of the first call and what is computed', async () => {
  const { stdout } = await memoryService().run('ls', '--json', '--thread', 'chat-7');
  expect(JSON.parse(stdout)).toEqual([
    {
      trace_id: TICKET_TRACE,
      id: 'ticket-1',
      thread_id: 'chat-7',
      started_at: DAY,
      ended_at: '2026-01-02T10:00:04.120000Z',
      exception: 'SMTPError: 550 mailbox unavailable\n    at send (tools.ts:94)',
      name: 'answer_ticket',
      op: 'answer_ticket',
      status: 'error',
      durationMs: 4120,
      tokens: { input: 3800, output: 102, total: 3902 },
      cost: { amounts: {}, unpricedModels: ['gpt-x'], isEstimate: false },
      callCount: 6,
      isPartial: false,
    },
  ]);
});

test('a trace of which a part was looked at has at least its tokens', async () => {
  const usage = { 'gpt-x': { prompt_tokens: 2, completion_tokens: 0 } };
  const large = { trace_id: 'large', thread_id: 'large' };
  const calls = Array.from({ length: 1001 }, (_value, index) =>
    recorded(DAY, [index, index + 1], {
      ...large,
      id: `large-${index}`,
      op_name: 'f',
      ...(index > 0 && { parent_id: 'large-0', summary: { usage } }),
    }),
  );
  const service = memoryService();
  onTestFinished(async () => void (await service.reader.calls.delete(['large-0'])));
  await service.reader.calls.write(calls.flat());
  const { stdout } = await service.run('ls', '--thread', 'large');
  expect(stdout).toMatch(/ ≥ 1,998 .* 1,001 {2}large$/m);
});

test('--json gives null where there is no value yet', async () => {
  const { stdout } = await memoryService().run('ls', '--json', '--limit', '1');
  expect(JSON.parse(stdout)).toMatchObject([
    { id: 'new', ended_at: null, status: 'never_ended', durationMs: null, tokens: null, cost: null, callCount: 2 },
  ]);
});

test('--limit takes the newest', async () => {
  expect(await namesOf('--limit', '2')).toEqual(['guard\u001b[31m', 'answer_ticket']);
});

test('--op takes plain names and every version of a published op', async () => {
  expect(await namesOf('--op', 'answer_ticket')).toEqual(['answer_ticket']);
  expect(await namesOf('--op', 'tick')).toEqual(['tick']);
  expect(await namesOf('--op', 'chat')).toEqual([]);
});

test('--status takes traces whose first call has it', async () => {
  expect(await namesOf('--status', 'error')).toEqual(['answer_ticket']);
  expect(await namesOf('--status', 'running')).toEqual(['guard\u001b[31m']);
  expect(await namesOf('--status', 'descendant_error')).toEqual([]);
});

test('--since takes a date, a date-time and a time span, by the clocks here', async () => {
  const { home } = memoryService();
  const idsSince = async (time: string, TZ: string) => {
    const args = ['ls', '--json', '--project', 'acme/demo', '--since', time];
    const { stdout } = await runNode([`${ROOT}/dist/cli/bin.cjs`, ...args], { home, env: { TZ } });
    return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  };
  expect(await idsSince('2026-01-02', 'UTC')).toEqual(['new', 'ticket-1']);
  // Midnight there is 11:00 UTC.
  expect(await idsSince('2026-01-02', 'Pacific/Pago_Pago')).toEqual(['new']);
  expect(await idsSince('2026-01-02 11:00:00', 'Europe/Berlin')).toEqual(['new', 'ticket-1']);
  expect(await idsSince('2026-01-02T11:00:01', 'Europe/Berlin')).toEqual(['new']);
  expect(await namesOf('--since', '2026-01-02T10:00:00.001Z')).toEqual(['guard\u001b[31m']);
  expect(await namesOf('--since', '500w')).toHaveLength(3);
});

test('a call without an end is running as long as it may get one', async () => {
  const { home, reader } = memoryService();
  const now = new Date().toISOString();
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const started = (id: string, pid: number) =>
    recorded(now, [0, null], {
      id,
      project_id: 'acme/open',
      trace_id: `trace-${id}`,
      op_name: id,
      attributes: { svc: { host: hostname(), pid } },
    });
  await reader.calls.write([...started('living', process.pid), ...started('gone', gone)]);
  const { stdout } = await runCli(home, 'ls', '--project', 'acme/open', '--status', 'running', '--json');
  const found = JSON.parse(stdout) as { id: string; status: string }[];
  expect(Object.fromEntries(found.map(({ id, status }) => [id, status]))).toEqual({
    living: 'running',
    gone: 'never_ended',
  });
});

test('--filter takes the filter language', async () => {
  expect(await namesOf('-f', 'status:error')).toEqual(['answer_ticket']);
  expect(await namesOf('--filter', 'op:answer* -has:output')).toEqual(['answer_ticket']);
  expect(await namesOf('-f', 'op:tick or latency>4s')).toEqual(['answer_ticket', 'tick']);
  expect(await namesOf('-f', 'started:2026-01-02..2026-01-03T23:00Z', '--limit', '1')).toEqual(['guard\u001b[31m']);
  expect(await namesOf('-f', 'roots:no')).toEqual([]);
});

test('--filter takes what queries cannot ask for', async () => {
  expect(await namesOf('-f', 'tokens>3k')).toEqual(['answer_ticket']);
  expect(await namesOf('-f', 'tokens>4k')).toEqual([]);
  expect(await namesOf('-f', 'model:gpt* or op:tick')).toEqual(['answer_ticket', 'tick']);
  expect(await namesOf('-f', '-model:gpt* -op:tick')).toEqual(['guard\u001b[31m']);
  expect(await namesOf('-f', '-tokens>3k', '--limit', '1')).toEqual(['guard\u001b[31m']);
  expect(await namesOf('-f', 'status:never')).toEqual(['guard\u001b[31m']);
  expect(await namesOf('-f', 'status:running')).toEqual([]);
});

test('--filter goes with other options, but for the same field', async () => {
  expect(await namesOf('-f', 'latency>1ms', '--status', 'error', '--op', 'answer_ticket')).toEqual(['answer_ticket']);
  expect(await namesOf('-f', 'status:error', '--since', '2026-01-03')).toEqual([]);
  expect(await memoryService().run('ls', '-f', 'op:a', '--op', 'b')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'spoor: --filter and --op both name the op: leave one of them out\n',
  });
});

test('--view takes the filter of a saved view, and with --filter both', async () => {
  const service = memoryService();
  await service.run('views', 'save', 'slow or failed', '-f', 'op:tick or latency>4s');
  await service.reader.page.views.save({ name: 'of the page', query: 'q=status%3Anever+op:watch&t=1h' });
  expect(await namesOf('--view', 'slow or failed')).toEqual(['answer_ticket', 'tick']);
  expect(await namesOf('--view', 'slow or failed', '-f', 'status:error or op:watch')).toEqual(['answer_ticket']);
  expect(await namesOf('--view', 'of the page')).toEqual(['guard\u001b[31m']);
  expect(await namesOf('--view', 'of the page', '-f', 'op:tick')).toEqual([]);
  expect(await service.run('ls', '--view', 'slow')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'spoor: There is no view "slow": this project has "slow or failed", "of the page"\n',
  });
  expect((await service.run('views', 'list')).stdout).toMatch(/^of the page +status:never op:watch /m);
});

test('a filter that is saved on the command line is that of the page', async () => {
  const service = memoryService();
  await service.run('views', 'save', 'mine', '-f', 'status:error "a b"');
  const view = (await service.reader.page.views.list()).find(({ name }) => name === 'mine');
  expect(CALLS.read(view?.query ?? '').q).toBe('status:error "a b"');
});

test('a filter that makes no sense is shown with a caret under the place', async () => {
  expect(await memoryService().run('ls', '-f', '退款 stats:error')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'spoor: There is no field "stats"; did you mean status?\n  退款 stats:error\n       ^^^^^\n',
  });
});

test('filters are combined', async () => {
  expect(await namesOf('--status', 'error', '--since', '2026-01-03')).toEqual([]);
});

/** A call of `acme/foreign` at a minute of the day, in the trace of the same number. */
function foreign(minute: number, trace: number, call: { id: string; parent_id?: string; op_name?: string }) {
  const day = `2026-01-02T10:${String(minute).padStart(2, '0')}:00Z`;
  return recorded(day, [0, 1], { op_name: call.id, ...call, project_id: 'acme/foreign', trace_id: `trace-${trace}` });
}

test('a trace whose first call was called from elsewhere is listed by that call, once, in its place', async () => {
  const { home, reader } = memoryService();
  await reader.calls.write([
    ...foreign(10, 1, { id: 'root-1' }),
    // Its child is the newest call of all, and calls something whose clock is behind.
    ...foreign(20, 2, { id: 'served-2', parent_id: 'elsewhere' }),
    ...foreign(50, 2, { id: 'child-2', parent_id: 'served-2' }),
    ...foreign(5, 2, { id: 'behind-2', parent_id: 'child-2' }),
    ...foreign(30, 3, { id: 'root-3' }),
    // A root is enough; that others of its calls have lost their parent is no matter.
    ...foreign(40, 3, { id: 'lost-3', parent_id: 'gone' }),
    ...foreign(2, 4, { id: 'served-4', parent_id: 'elsewhere' }),
    ...foreign(1, 5, { id: 'root-5' }),
  ]);
  const list = async (...args: string[]) => {
    const { stdout, stderr } = await runCli(home, 'ls', '--project', 'acme/foreign', '--json', ...args);
    expect(stderr).toBe('');
    return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  };
  expect(await list()).toEqual(['root-3', 'served-2', 'root-1', 'served-4', 'root-5']);
  expect(await list('--limit', '2')).toEqual(['root-3', 'served-2']);
  expect(await list('--op', 'served-4')).toEqual(['served-4']);
  expect(await list('--since', '2026-01-02T10:15:00Z')).toEqual(['root-3', 'served-2']);
});

test('no traces are said on standard error, and are an empty array', async () => {
  const { home } = memoryService();
  const { stderr, ...run } = await runCli(home, 'ls', '--project', 'acme/empty');
  expect(run).toMatchObject({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^No such traces in project acme\/empty; --project names another: .*\bacme\/demo\b.*\n$/);
  expect(await runCli(home, 'ls', '--project', 'acme/empty', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
});

test('colour appears when it is asked for', async () => {
  const { home } = memoryService();
  const run = (env: NodeJS.ProcessEnv) =>
    runNode([`${ROOT}/dist/cli/bin.cjs`, 'ls', '--project', 'acme/demo'], { home, env: { NO_COLOR: '', ...env } });
  expect((await run({})).stdout).not.toContain('\u001b');
  expect((await run({ FORCE_COLOR: '1' })).stdout).toContain('\u001b[31merror\u001b[39m');
});

test('ids lead to the page where the terminal has links, and nothing else of a line changes', async () => {
  const { home, service } = memoryService();
  const run = async (command: readonly string[], env: NodeJS.ProcessEnv) =>
    (await runNode([`${ROOT}/dist/cli/bin.cjs`, ...command, '--project', 'acme/demo'], { home, env })).stdout;
  for (const command of [['ls'], ['search', 'hello'], ['show', TICKET_TRACE], ['show', TICKET_TRACE, '--full']]) {
    const linked = await run(command, { FORCE_HYPERLINK: '1' });
    expect(linked).toContain(`\u001b]8;;${service.url}/ui/acme/demo/trace/${TICKET_TRACE}`);
    expect(toPlainText(linked)).toBe(await run(command, {}));
  }
});

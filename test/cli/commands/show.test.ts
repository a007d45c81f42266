import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Call } from '../../../src/protocol/call.ts';
import { environmentOf, ROOT, runNode } from '../../flow/service-process.ts';
import { PROJECT, useMemoryService } from './memory-service.ts';
import { recorded, TICKET_TRACE, ticketTrace } from './recorded-traces.ts';

const DAY = '2026-01-02T10:00:00Z';
const MAIN = `${ROOT}/dist/cli/bin.cjs`;

const memoryService = useMemoryService((reader) =>
  reader.calls.write([
    ...ticketTrace(DAY),
    ...recorded(DAY, [0, 1], { id: 'twin-aaaa-1', trace_id: 'twins-one-same', op_name: 'twin' }),
    ...recorded(DAY, [0, 1], { id: 'twin-aaaa-2', trace_id: 'twins-two-same', op_name: 'twin' }),
    ...recorded(DAY, [0, 1], { id: 'big', trace_id: 'big-trace', op_name: 'big', output: 'x'.repeat(1_000_000) }),
    ...recorded(DAY, [0, 1], { id: 'lost-1', trace_id: 'lost-trace', parent_id: 'nowhere', op_name: 'orphan' }),
  ]),
);

const TREE = [
  '✗ answer_ticket   4.12 s  3,902 tok',
  '├─ ✓ plan         900 ms  1,951 tok',
  '│  └─ ✓ chat      840 ms  1,951 tok  no price  gpt-x',
  '├─ ✓ search_docs  1.21 s',
  '├─ ✓ chat         1.24 s  1,951 tok  no price  gpt-x',
  '└─ ✗ send_email   510 ms',
  '      SMTPError: 550 mailbox unavailable',
];

async function linesOf(...args: string[]): Promise<string[]> {
  const { home } = memoryService();
  const { stdout, stderr, code } = await runNode([MAIN, 'show', ...args, '--project', PROJECT], {
    home,
    env: { TZ: 'UTC' },
  });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return stdout.trimEnd().split('\n');
}

test('a trace is printed as a head and a tree', async () => {
  expect(await linesOf(TICKET_TRACE)).toEqual([
    'answer_ticket · error · 4.12 s · 6 calls · 3,902 tokens · no price: gpt-x',
    `2026-01-02 10:00:00 · thread chat-7 · trace ${TICKET_TRACE} · project acme/demo`,
    '',
    ...TREE,
  ]);
});

test.each(['0190a000', 'deadbeef'])('a part of the trace id is enough: %s', async (part) => {
  expect((await linesOf(part)).slice(3)).toEqual(TREE);
});

test.each(['ticket-2', 'svc:///acme/demo/call/ticket-2', 'et-2'])(
  'a call is shown with what is below it: %s',
  async (id) => {
    expect(await linesOf(id)).toEqual([
      'plan · success · 900 ms · 2 calls · 1,951 tokens · no price: gpt-x',
      `2026-01-02 10:00:00 · thread chat-7 · trace ${TICKET_TRACE} · project acme/demo`,
      '',
      '✓ plan     900 ms  1,951 tok',
      '└─ ✓ chat  840 ms  1,951 tok  no price  gpt-x',
    ]);
  },
);

test('a call reference names its project', async () => {
  const { home } = memoryService();
  const { code, stdout } = await runNode([MAIN, 'show', 'svc:///acme/demo/call/ticket-3'], { home });
  expect(code).toBe(0);
  expect(stdout).toContain('project acme/demo');
});

test('--full adds inputs, output and the whole error', async () => {
  const lines = await linesOf('ticket-1', '--full');
  expect(lines).toContain('│        inputs: {"q":"hello"}');
  expect(lines).toContain('│        output: {"text":"a plan"}');
  expect(lines.slice(-5)).toEqual([
    '      id: ticket-6',
    '      inputs: {}',
    '      error:',
    '        SMTPError: 550 mailbox unavailable',
    '            at send (tools.ts:94)',
  ]);
});

test('--json prints the calls as the service sends them, parents before children', async () => {
  const service = memoryService();
  const { stdout, code } = await service.run('show', TICKET_TRACE, '--json');
  const { trace_id, calls } = JSON.parse(stdout) as { trace_id: string; calls: Call[] };
  expect({ trace_id, code }).toEqual({ trace_id: TICKET_TRACE, code: 0 });
  expect(calls.map(({ id }) => id)).toEqual(['ticket-1', 'ticket-2', 'ticket-3', 'ticket-4', 'ticket-5', 'ticket-6']);
  expect(calls[2]).toEqual(await service.reader.calls.get('ticket-3', { include_costs: true }));
});

test('a call whose parent is not there is shown', async () => {
  expect((await linesOf('lost-trace')).slice(3)).toEqual(['✓ orphan  1.0 ms']);
});

test.each([
  ['same', 'spoor: More than one of the traces begins or ends with "same": twins-one-same, twins-two-same\n'],
  ['twin-aaaa', 'spoor: More than one of the calls begins or ends with "twin-aaaa": twin-aaaa-1, twin-aaaa-2\n'],
  ['icket', 'spoor: There is no trace or call "icket" in any project\n'],
  ['tic', 'spoor: Cannot find "tic": give at least 4 characters of the id\n'],
  ['no/id', 'spoor: There is no trace or call "no/id" in any project\n'],
])('"%s" names nothing: one line, exit code 1', async (id, line) => {
  expect(await memoryService().run('show', id)).toMatchObject({ code: 1, stdout: '', stderr: line });
});

test('a reader that stops early is no failure', async () => {
  const { home } = memoryService();
  const child = spawn(process.execPath, [MAIN, 'show', 'big', '--json', '--project', PROJECT], {
    env: environmentOf(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await exited).toEqual([0, null]);
  expect(stderr).toBe('');
});

test('without an id the newest trace is shown', async () => {
  const { reader, home } = memoryService();
  const project_id = 'acme/newest';
  const call = (id: string) => ({ id, project_id, trace_id: `trace-${id}`, op_name: id });
  await reader.calls.write([
    ...recorded('2026-02-01T00:00:00Z', [0, null], call('older')),
    ...recorded('2026-02-01T00:00:00Z', [5, null], call('newer')),
  ]);
  const { stdout, stderr, code } = await runNode([MAIN, 'show', '--project', project_id], { home });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout.split('\n')[3]).toBe('◐ newer  never ended');
});

test('a trace of another project is found, and the project told', async () => {
  const { home } = memoryService();
  const run = (...args: string[]) => runNode([MAIN, 'show', ...args, '--project', 'empty'], { home });
  const found = await run('deadbeef');
  expect(found).toMatchObject({
    code: 0,
    stderr: 'spoor: this trace is in project acme/demo, not in local/empty\n',
  });
  expect(found.stdout.trimEnd().split('\n').slice(3)).toEqual(TREE);
  expect((await run()).stderr).toMatch(/^spoor: this trace is in project acme\/\w+, not in local\/empty\n$/);
  expect(await run('missing')).toMatchObject({
    code: 1,
    stderr: 'spoor: There is no trace or call "missing" in any project\n',
  });
});

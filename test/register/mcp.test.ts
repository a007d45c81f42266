import { describe, expect, test } from 'vitest';
import { opNameOf } from '../../src/protocol/ref.ts';
import { machinePerFile } from '../flow/machine.ts';
import { callsOf, type Format, UserProject } from './program.ts';

const PROGRAM = new URL('../integrations/mcp-program.ts', import.meta.url);
const LIBRARY = '@modelcontextprotocol/sdk';

const machine = machinePerFile();

type Calls = Awaited<ReturnType<typeof callsOf>>;

/** From the root to the call, as op names and what is shown of them. */
function pathOf(calls: Calls, call: Calls[number]): string {
  const parent = calls.find(({ id }) => id === call.parent_id);
  const name = opNameOf(call.op_name) + (call.display_name ? `(${call.display_name})` : '');
  return parent === undefined ? name : `${pathOf(calls, parent)} > ${name}`;
}

async function project(format: Format, installedAs: string): Promise<{ project: UserProject; main: string }> {
  const main = format === 'esm' ? 'main.mjs' : 'main.cjs';
  const made = new UserProject();
  if (installedAs === LIBRARY) made.link(LIBRARY).link('zod');
  else made.copy(LIBRARY, installedAs).linkOthers();
  await made.compile(PROGRAM, main, format);
  return { project: made, main };
}

/** A server that is ended with its client may leave its last records on disk, for the service to find. */
async function endedCalls(): Promise<Calls> {
  const isOpen = ({ ended_at: endedAt }: Calls[number]): boolean => endedAt === null;
  await expect.poll(async () => (await callsOf(machine.service)).filter(isOpen).length, { timeout: 15_000 }).toBe(0);
  return callsOf(machine.service);
}

const CASES: readonly (readonly [transport: string, format: Format, installedAs: string])[] = [
  ['memory', 'esm', LIBRARY],
  ['memory', 'cjs', LIBRARY],
  ['stdio', 'esm', LIBRARY],
  ['stdio', 'cjs', LIBRARY],
  ['http', 'esm', LIBRARY],
  ['http', 'cjs', LIBRARY],
  ['memory', 'esm', 'mcp-1-13'],
  ['stdio', 'cjs', 'mcp-1-13'],
];

describe('a program with both ends', () => {
  test.each(CASES)('over %s as %s with %s: the same bytes, and one tree', async (transport, format, installedAs) => {
    const { project: made, main } = await project(format, installedAs);
    const env = { SPOOR_CONTINUE_TRACES: '1', NODE_NO_WARNINGS: '1' };
    const bare = await made.run([main, transport], machine.home, { ...env, SPOOR_DISABLED: '1' });
    expect(bare).toMatchObject({ code: 0, stderr: '' });
    expect(bare.stdout.split('\n').length).toBeGreaterThan(12);
    const captured = await made.run(['--import', 'spoor/register', main, transport], machine.home, env);
    for (const [index, line] of bare.stdout.split('\n').entries())
      expect(captured.stdout.split('\n')[index]).toBe(line);
    expect(captured).toEqual(bare);
    const calls = await endedCalls();
    const paths = calls.map((call) => pathOf(calls, call));
    // What brings a request of a client is recorded, too.
    const via = transport === 'http' ? ' > http.server.request(POST /mcp)' : '';
    const tool = (name: string) => `mcp.tools.call(${name})${via} > mcp.server.tools.call(${name})`;
    // Clocks of two processes may differ by a millisecond.
    expect(paths.filter((path) => path.startsWith('ask')).toSorted()).toEqual([
      'ask',
      'ask > mcp.tools.call(forecast)',
      ...(via === '' ? [] : [`ask > mcp.tools.call(forecast)${via}`]),
      `ask > ${tool('forecast')}`,
      `ask > ${tool('forecast')} > lookUp`,
    ]);
    expect(paths).toEqual(
      expect.arrayContaining([
        `mcp.tools.list${via} > mcp.server.tools.list`,
        `${tool('forecast')} > lookUp`,
        tool('breaks'),
        `${tool('asks')} > mcp.sampling.createMessage > mcp.client.sampling.createMessage`,
        `mcp.resources.read(station://7)${via} > mcp.server.resources.read(station://7)`,
        `mcp.prompts.get(report)${via} > mcp.server.prompts.get(report)`,
      ]),
    );
    // Nothing of a server is a root of its own, and nothing about the connection is recorded.
    expect(paths.filter((path) => path.startsWith('mcp.server') || path.startsWith('mcp.client'))).toEqual([]);
    expect(paths.filter((path) => /ping|initialize/.test(path))).toEqual([]);
    const ended = (name: string) => calls.filter((call) => call.display_name === name);
    expect(ended('forecast').map(({ attributes }) => attributes['kind'])).toEqual(ended('forecast').map(() => 'tool'));
    expect(ended('breaks').map(({ exception }) => exception)).toEqual([
      expect.stringContaining('The sensor broke'),
      expect.stringContaining('The sensor broke'),
    ]);
    const waits = ended('waits').filter(({ op_name: name }) => name === 'mcp.tools.call');
    expect(waits.map(({ exception }) => exception)).toEqual([
      expect.stringContaining('enough'),
      expect.stringContaining('Request timed out'),
    ]);
    const forecast = ended('forecast').find(({ op_name: name }) => name === 'mcp.tools.call');
    expect(forecast?.inputs).toEqual({ name: 'forecast', arguments: { city: 'Oslo' } });
    expect(forecast?.attributes).toMatchObject({ provider: 'mcp', server: 'weather' });
    expect(forecast?.output).toEqual({ content: [{ type: 'text', text: 'Oslo: rain' }] });
  });
});

async function stderrOf(protocol: string): Promise<string> {
  const made = new UserProject({
    'main.mjs': `import { Protocol } from '${LIBRARY}/shared/protocol.js'; console.log(typeof Protocol);`,
    [`node_modules/${LIBRARY}/package.json`]: JSON.stringify({
      name: LIBRARY,
      version: '1.99.0',
      type: 'module',
      exports: { './*': './dist/esm/*' },
    }),
    [`node_modules/${LIBRARY}/dist/esm/shared/protocol.js`]: protocol,
  });
  const { code, stdout, stderr } = await made.run(['--import', 'spoor/register', 'main.mjs'], machine.home);
  expect([code, stdout]).toEqual([0, 'function\n']);
  return stderr;
}

test.each([
  ['of another shape', 'export class Protocol {}', /1\.99\.0 has no Protocol\.request, Protocol\._onrequest/],
  [
    'that is frozen',
    'export class Protocol { request() {} _onrequest() {} } Object.freeze(Protocol.prototype);',
    /has no/,
  ],
  [
    'whose members throw',
    `export const Protocol = new Proxy(class {}, { get() { throw new Error('No'); } });`,
    /No\n$/,
  ],
])('a library %s is no reason to fail', async (_what, protocol, told) => {
  const stderr = await stderrOf(protocol);
  expect(stderr).toMatch(/^spoor: Cannot capture all of "@modelcontextprotocol\/sdk": 1\.99\.0.*\n$/);
  expect(stderr).toMatch(told);
});

test('a server that was required before the hook is captured nevertheless', async () => {
  const source = `const { McpServer } = require('${LIBRARY}/server/mcp.js'); require('spoor/register');
    const { stats, traced } = require('spoor'); traced(() => 1)(); console.log(JSON.stringify(stats().captured));`;
  const made = new UserProject({ 'main.cjs': source }).link(LIBRARY);
  const { stdout } = await made.run(['main.cjs'], machine.home, { NODE_NO_WARNINGS: '1' });
  expect(JSON.parse(stdout)).toMatchObject([
    { library: LIBRARY, version: '1.32.2', hook: 'require', state: 'captured' },
  ]);
});

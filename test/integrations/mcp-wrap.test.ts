import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { trace } from 'spoor';
import { wrapMcpClient, wrapMcpServer } from 'spoor/mcp';
import { afterEach, expect, test } from 'vitest';
import { type Recording, startRecording, treeOf } from '../tracing/recording.ts';

let recording: Recording;

afterEach(() => recording.stop());

function makeServer(): McpServer {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  server.registerTool('forecast', {}, () => ({ content: [{ type: 'text', text: 'rain' }] }));
  return server;
}

function makeClient(): Client {
  return new Client({ name: 'ranger', version: '1.0.0' });
}

async function connect(client: Client, server: McpServer): Promise<void> {
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
}

test('a wrapped client and a wrapped server are the same objects, and give one tree', async () => {
  recording = startRecording();
  const [client, server] = [makeClient(), makeServer()];
  expect(wrapMcpClient(client)).toBe(client);
  expect(wrapMcpServer(server)).toBe(server);
  await connect(wrapMcpClient(client), wrapMcpServer(server));
  expect(await client.callTool({ name: 'forecast' })).toEqual({ content: [{ type: 'text', text: 'rain' }] });
  expect(treeOf(recording)).toEqual(['mcp.tools.call(mcp.server.tools.call)']);
  expect(recording.problems).toEqual([]);
});

test('the end of a server is wrapped as well as the server', async () => {
  recording = startRecording();
  const [client, server] = [makeClient(), makeServer()];
  wrapMcpServer(server.server);
  await connect(client, server);
  await client.listTools();
  expect(treeOf(recording)).toEqual(['mcp.server.tools.list']);
});

test('a tool that is registered while the server runs is recorded', async () => {
  recording = startRecording();
  const [client, server] = [makeClient(), wrapMcpServer(makeServer())];
  await connect(client, server);
  server.registerTool('late', {}, () => ({ content: [] }));
  await client.callTool({ name: 'late' });
  expect(recording.call('mcp.server.tools.call').start.display_name).toBe('late');
});

/** Keeps what is sent to `url`, and answers nothing. */
function farTransport(url: string | undefined): Transport & { readonly sent: JSONRPCMessage[] } {
  const sent: JSONRPCMessage[] = [];
  const address = url === undefined ? {} : { _url: new URL(url) };
  const nothing = async (): Promise<void> => {};
  return {
    ...address,
    sent,
    sessionId: 'known',
    start: nothing,
    close: nothing,
    send: async (message) => void sent.push(message),
  };
}

test.each([
  ['http://127.0.0.1:8080/mcp', [], true],
  ['https://mcp.example.com/', [], false],
  ['https://mcp.example.com/', ['*.example.com'], true],
  [undefined, [], false],
])('a server at %s, with %j, is told the call: %s', async (url, hosts, isTold) => {
  recording = startRecording({ peers: { hosts, isContinuing: false } });
  const client = wrapMcpClient(makeClient());
  const transport = farTransport(url);
  await client.connect(transport);
  const controller = new AbortController();
  const answer = client.callTool({ name: 'forecast', _meta: { mine: 1 } }, undefined, { signal: controller.signal });
  controller.abort();
  await expect(answer).rejects.toThrow('abort');
  const traceparent: unknown = expect.stringMatching(/^00-/);
  expect(transport.sent[0]).toMatchObject({ params: { _meta: { mine: 1, ...(isTold ? { traceparent } : {}) } } });
  expect(JSON.stringify(transport.sent[0]).includes('traceparent')).toBe(isTold);
});

test.each([
  [false, ['mcp.server.tools.call']],
  [true, []],
])('who calls from elsewhere names the trace only where traces are continued: %s', async (isContinuing, roots) => {
  recording = startRecording({ peers: { hosts: [], isContinuing } });
  const server = wrapMcpServer(makeServer());
  const transport = farTransport(undefined);
  await server.connect(transport);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const params = { name: 'forecast', _meta: { traceparent } };
  transport.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  await expect.poll(() => transport.sent.length).toBe(1);
  const found = recording.calls().filter(({ start }) => start.parent_id === undefined);
  expect(found.map(({ start }) => start.op_name)).toEqual(roots);
});

test('a traceparent that the program has set stays', async () => {
  recording = startRecording();
  const client = wrapMcpClient(makeClient());
  const transport = farTransport('http://localhost/');
  await client.connect(transport);
  const controller = new AbortController();
  const meta = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const answer = trace('outer', () => client.listTools({ _meta: meta }, { signal: controller.signal }));
  controller.abort();
  await expect(answer).rejects.toThrow('abort');
  expect(transport.sent[0]).toMatchObject({ params: { _meta: meta } });
});

test('what is no client or server is refused where it is wrapped', () => {
  recording = startRecording();
  expect(() => wrapMcpClient({})).toThrow(TypeError);
  expect(() => wrapMcpServer(undefined as unknown as object)).toThrow('Cannot wrap an MCP server');
});

test('an end that breaks when it is looked at works as without', async () => {
  recording = startRecording();
  const [client, server] = [wrapMcpClient(makeClient()), wrapMcpServer(makeServer())];
  await connect(client, server);
  const broken = (): never => {
    throw new Error('Not for you');
  };
  client.getServerVersion = broken;
  Object.defineProperty(server.server, '_requestHandlers', {
    value: Object.assign(new Map(Reflect.get(server.server, '_requestHandlers') as Map<string, unknown>), {
      set: broken,
    }),
  });
  expect(await client.callTool({ name: 'forecast' })).toEqual({ content: [{ type: 'text', text: 'rain' }] });
  expect(recording.calls()).toEqual([]);
  expect(recording.problems.map(({ kind }) => kind)).toEqual(['capture-changed']);
});

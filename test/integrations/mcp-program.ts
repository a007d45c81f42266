import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { traced } from 'spoor';
import { z } from 'zod';

/*
 * A program with a client and a server of the Model Context Protocol, which knows of Spoor only that one function is
 * traced: `<transport>` runs the client beside a server in memory, in a process of its own, or behind HTTP.
 */

const lookUp = traced(
  async (city: string) => {
    await Promise.resolve();
    return `${city}: rain`;
  },
  { name: 'lookUp' },
);

export function makeServer(): McpServer {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  server.registerTool('forecast', { inputSchema: { city: z.string() } }, async ({ city }) => ({
    content: [{ type: 'text', text: await lookUp(city) }],
  }));
  server.registerTool('breaks', {}, async () => {
    throw new Error('The sensor broke');
  });
  server.registerTool('waits', {}, ({ signal }) => {
    return new Promise((_resolve, reject) => {
      const leave = (): void => reject(new Error('left'));
      // What arrives together with its cancellation is aborted before it begins.
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave);
    });
  });
  server.registerTool('asks', {}, async () => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Shall I?' } }];
    const { content } = await server.server.createMessage({ messages, maxTokens: 10 });
    return { content: [{ type: 'text', text: JSON.stringify(content) }] };
  });
  const template = new ResourceTemplate('station://{id}', { list: undefined });
  server.registerResource('station', template, {}, (uri, { id }) => ({
    contents: [{ uri: uri.href, text: `Station ${String(id)}` }],
  }));
  server.registerPrompt('report', { argsSchema: { day: z.string() } }, ({ day }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Report ${day}` } }],
  }));
  return server;
}

export function makeClient(): Client {
  const client = new Client({ name: 'ranger', version: '2.0.0' }, { capabilities: { sampling: {} } });
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    model: 'plain',
    role: 'assistant',
    content: { type: 'text', text: 'Yes' },
  }));
  return client;
}

/** All that a program may see of it. */
export async function use(client: Client): Promise<void> {
  const say = (...what: unknown[]): void => console.log(JSON.stringify(what));
  const failing = async (name: string, promise: Promise<unknown>): Promise<void> => {
    try {
      say(name, await promise);
    } catch (error) {
      const { name: kind, message, code, data } = error as Error & { code?: unknown; data?: unknown };
      say(name, kind, message, code, data);
    }
  };
  say(client.getServerVersion(), await client.ping());
  say(await client.listTools());
  say(await traced(async () => client.callTool({ name: 'forecast', arguments: { city: 'Oslo' } }), { name: 'ask' })());
  say(await Promise.all(['Bergen', 'Bodø'].map((city) => client.callTool({ name: 'forecast', arguments: { city } }))));
  say(await client.callTool({ name: 'breaks' }));
  say(await client.callTool({ name: 'asks', _meta: { note: 'kept' } }));
  await failing('wrong arguments', client.callTool({ name: 'forecast', arguments: { city: 1 } }));
  await failing('no such tool', client.callTool({ name: 'nothing' }));
  await failing('no such prompt', client.getPrompt({ name: 'nothing' }));
  const controller = new AbortController();
  const left = client.callTool({ name: 'waits' }, undefined, { signal: controller.signal });
  setTimeout(() => controller.abort('enough'), 20);
  await failing('left', left);
  await failing('too long', client.callTool({ name: 'waits' }, undefined, { timeout: 20 }));
  say(
    await client.readResource({ uri: 'station://7' }),
    await client.listResources(),
    await client.listResourceTemplates(),
  );
  say(await client.getPrompt({ name: 'report', arguments: { day: 'today' } }), await client.listPrompts());
}

async function overHttp(): Promise<void> {
  const server = makeServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session-1' });
  await server.connect(transport);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const client = makeClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
  await use(client);
  await client.close();
  await server.close();
  http.closeAllConnections();
  http.close();
}

async function overStdio(): Promise<void> {
  const args = [...process.execArgv, process.argv[1] ?? '', 'serve'];
  const env = process.env as Record<string, string>;
  const client = makeClient();
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  await use(client);
  await client.close();
}

async function inMemory(): Promise<void> {
  const [one, other] = InMemoryTransport.createLinkedPair();
  const server = makeServer();
  const client = makeClient();
  await Promise.all([server.connect(one), client.connect(other)]);
  await use(client);
  await client.close();
}

const RUNS: Readonly<Record<string, () => Promise<void>>> = {
  http: overHttp,
  stdio: overStdio,
  memory: inMemory,
  serve: () => makeServer().connect(new StdioServerTransport()),
};

void RUNS[process.argv[2] ?? '']?.();

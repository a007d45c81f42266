import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import OpenAI from 'openai';
import { shutdown } from 'spoor';
import { wrapMcpClient } from 'spoor/mcp';
import { wrapOpenAI } from 'spoor/openai';
import { instrumentConformance, type IntegrationUnderTest } from 'spoor/testing';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ORACLE, type Oracle } from './oracle.ts';
import { PLANTED } from './planted-integrations.ts';
import { turns, withoutListeners } from './without-listeners.ts';

// Each integration with a defect goes through the whole kit.
vi.setConfig({ testTimeout: 120_000 });

instrumentConformance({ describe, test, afterAll }, ORACLE);

const USAGE = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 };
const WORDS = ['A ', 'fox ', 'was ', 'here'];

/** Chunks of its streams that each client was given so far. */
const given = new WeakMap<OpenAI, number>();

/** The library itself, with a provider in the place of the network. */
function createOpenAI(): OpenAI {
  const client: OpenAI = new OpenAI({
    apiKey: 'no-key-needed',
    maxRetries: 0,
    fetch: async (_url, init) => {
      const { model, stream } = JSON.parse(init?.body as string) as { model: string; stream?: boolean };
      if (model === 'none') return Response.json({ error: { message: 'There is no such model' } }, { status: 404 });
      if (stream === true) return eventsFor(client);
      const message = { role: 'assistant', content: WORDS.join('') };
      return Response.json({ model: 'seen-1', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USAGE });
    },
  });
  return client;
}

function eventsFor(client: OpenAI): Response {
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        const content = WORDS[next++];
        const choices = [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }];
        const data = content === undefined ? '[DONE]' : JSON.stringify({ model: 'seen-1', choices });
        controller.enqueue(encoder.encode(`data: ${data}\n\n`));
        given.set(client, next);
        if (content === undefined) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const messages = [{ role: 'user', content: 'Who was here?' }] as const;

instrumentConformance(
  { describe, test, afterAll },
  {
    name: 'openai',
    create: createOpenAI,
    instrument: wrapOpenAI,
    calls: {
      'a chat': {
        act: (client) => client.chat.completions.create({ model: 'seen', messages: [...messages] }),
        actWith: (client, argument) => client.chat.completions.create(argument as never),
        op: 'openai.chat.completions.create',
        kind: 'llm',
        inputs: { model: 'seen', messages },
        usage: { 'seen-1': { requests: 1, input: 12, output: 4 } },
      },
      'a model that is not there': {
        act: (client) => client.chat.completions.create({ model: 'none', messages: [...messages] }),
        op: 'openai.chat.completions.create',
        error: 'There is no such model',
      },
      'a stream': {
        act: (client) => client.chat.completions.create({ model: 'seen', messages: [...messages], stream: true }),
        op: 'openai.chat.completions.create',
        stream: { made: (client) => given.get(client) ?? 0 },
      },
    },
  },
);

instrumentConformance(
  { describe, test, afterAll },
  {
    name: 'mcp',
    create: async () => {
      const server = new McpServer({ name: 'tracks', version: '1.0.0' });
      server.registerTool('identify', {}, () => ({ content: [{ type: 'text', text: 'A fox' }] }));
      const client = new Client({ name: 'ranger', version: '1.0.0' });
      const [one, other] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(one), client.connect(other)]);
      return client;
    },
    instrument: wrapMcpClient,
    close: (client) => client.close(),
    calls: {
      'a tool': {
        act: (client) => client.callTool({ name: 'identify' }),
        op: 'mcp.tools.call',
        kind: 'tool',
        inputs: { name: 'identify' },
        output: { content: [{ type: 'text', text: 'A fox' }] },
      },
      'a prompt that is not there': {
        act: (client) => client.getPrompt({ name: 'none' }),
        op: 'mcp.prompts.get',
        error: 'Method not found',
      },
    },
  },
);

/** A service that is away takes seconds, and tells nothing that others do not tell of these integrations. */
const LONG = /service is away/;

/** Runs the kit; the names of the checks that fail. */
async function failuresOf(integration: Partial<IntegrationUnderTest<Oracle>>): Promise<string[]> {
  const tests: { name: string; body: () => Promise<void> }[] = [];
  const closers: (() => Promise<void>)[] = [];
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    test: (name: string, body: () => Promise<void>) => void (LONG.test(name) || tests.push({ name, body })),
    afterAll: (close: () => Promise<void>) => void closers.push(close),
  };
  await shutdown();
  instrumentConformance(runner, { ...ORACLE, patienceMs: 50, ...integration });
  const failed: string[] = [];
  await withoutListeners(async () => {
    for (const { name, body } of tests) {
      await body().catch(() => failed.push(name));
      await turns();
    }
  });
  for (const close of closers) await close();
  return failed;
}

describe('what the kit finds:', () => {
  test('nothing, of an integration that keeps to it', async () => {
    expect(await failuresOf({})).toEqual([]);
  });

  test.each(Object.entries(PLANTED))('an integration that %s', async (_name, { fails, ...planted }) => {
    expect(await failuresOf(planted)).toEqual(fails);
  });

  test('what is excused may fail, and has to', async () => {
    const { fails, ...planted } = PLANTED['swallows an error'];
    const excused = Object.fromEntries(fails.map((name) => [name, 'it swallows them']));
    expect(await failuresOf({ ...planted, excused })).toEqual([]);
    const [first] = fails;
    expect(await failuresOf({ excused: { [first]: 'it did', 'no such check': 'typing error' } })).toEqual([
      `${first} (excused: it did)`,
      'every excuse names a check',
    ]);
  });

  test('calls that it cannot judge', async () => {
    const { 'a stream': stream } = ORACLE.calls;
    const eager = { ...ORACLE.calls, 'a stream': { ...stream, stream: { made: () => 4 } } } as typeof ORACLE.calls;
    expect(await failuresOf({ calls: eager })).toEqual([
      'a stream: the library makes as many chunks as without capture, at any time',
    ]);
    expect(() => instrumentConformance({ describe, test }, { ...ORACLE, calls: {} })).toThrow('no call to make');
  });
});

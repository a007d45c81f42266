import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { opNameOf } from '../../src/protocol/ref.ts';
import { machinePerFile } from '../flow/machine.ts';
import { startAnthropic } from '../integrations/anthropic-provider.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, type Format, UserProject } from './program.ts';

const PROGRAM = new URL('../integrations/langchain-program.ts', import.meta.url);

const machine = machinePerFile();
let openai: Provider;
let anthropic: Provider;

beforeEach(async () => {
  [openai, anthropic] = await Promise.all([startOpenAI(), startAnthropic()]);
});
afterEach(async () => {
  await Promise.all([openai.close(), anthropic.close()]);
});

type Calls = Awaited<ReturnType<typeof callsOf>>;

function pathOf(calls: Calls, call: Calls[number]): string {
  const parent = calls.find(({ id }) => id === call.parent_id);
  const name = opNameOf(call.op_name).replace('langchain.', '');
  return parent === undefined ? name : `${pathOf(calls, parent)} > ${name}`;
}

/** Runs a part of the program without capture and with it; both print the same. */
async function record(part: string, format: Format): Promise<{ calls: Calls; paths: string[] }> {
  const main = format === 'esm' ? 'main.mjs' : 'main.cjs';
  const project = new UserProject().linkOthers();
  await project.compile(PROGRAM, main, format);
  const env = { PROVIDER: openai.url, ANTHROPIC: anthropic.url, NODE_NO_WARNINGS: '1' };
  const bare = await project.run([main, part], machine.home, { ...env, SPOOR_DISABLED: '1' });
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  expect(bare.stdout.length).toBeGreaterThan(20);
  expect(await project.run(['--import', 'spoor/register', main, part], machine.home, env)).toEqual(bare);
  const calls = await callsOf(machine.service);
  expect(calls.filter(({ ended_at: endedAt }) => endedAt === null).map((call) => pathOf(calls, call))).toEqual([]);
  return { calls, paths: calls.map((call) => pathOf(calls, call)) };
}

const SEQUENCE = ['ChatPromptTemplate', 'ChatOpenAI', 'StrOutputParser'].map((name) => `RunnableSequence > ${name}`);

interface Sums {
  readonly requests: number;
  readonly total_tokens: number;
}

/** What the roots say, where everything below is added up. */
function usageOf(calls: Calls): Sums[] {
  const roots = calls.filter(({ parent_id: parent }) => parent === null);
  return roots.flatMap(({ summary }) => Object.values((summary?.['usage'] ?? {}) as Record<string, Sums>));
}

describe.each<Format>(['esm', 'cjs'])('a program of LangChain as %s prints what it prints without', (format) => {
  test('and its chains are recorded, each model request once', async () => {
    const { calls, paths } = await record('chains', format);
    const chain = ['RunnableSequence', ...SEQUENCE];
    const singles = ['ChatAnthropic', 'ChatAnthropic', 'ChatOpenAI'];
    expect(paths).toEqual([...chain, ...chain, ...singles, ...chain, 'ChatOpenAI']);
    const [whole, streamed, message, streamedMessage, left, leftBelow, refused] = calls.filter(
      ({ attributes }) => attributes['kind'] === 'llm',
    );
    expect(whole?.inputs).toEqual({
      messages: [{ type: 'human', content: 'Tell of foxes' }],
      model: 'plain',
      stream: false,
    });
    expect(whole?.output).toEqual({ type: 'ai', content: 'Hi there, tracker', id: 'chatcmpl-1' });
    expect(whole?.summary?.['usage']).toEqual({
      'plain-0613': {
        requests: 1,
        input_tokens: 22,
        cache_read_tokens: 8,
        output_tokens: 7,
        reasoning_tokens: 5,
        total_tokens: 42,
      },
    });
    expect(streamed?.summary).toMatchObject({ usage: whole?.summary?.['usage'] as object, stream: { reason: 'end' } });
    expect(streamed?.summary?.['stream']).toEqual({
      chunks: expect.any(Number) as number,
      first_chunk_ms: expect.any(Number) as number,
      reason: 'end',
    });
    expect(message?.summary?.['usage']).toMatchObject({
      'plain-20250514': { input_tokens: 20, cache_read_tokens: 16, cache_write_tokens: 4, output_tokens: 25 },
    });
    expect(streamedMessage?.summary?.['stream']).toMatchObject({ reason: 'end' });
    // On Node 24 streams of the web ask for one piece before the program does.
    expect(left?.summary?.['stream']).toMatchObject({ chunks: expect.toBeOneOf([1, 2]) as number, reason: 'break' });
    expect(leftBelow?.summary?.['stream']).toMatchObject({ reason: 'break' });
    const chains = calls.filter(({ op_name: name }) => name === 'langchain.RunnableSequence');
    expect(chains.map(({ summary }) => (summary?.['stream'] as { reason?: string } | undefined)?.reason)).toEqual([
      undefined,
      undefined,
      'break',
    ]);
    expect(refused?.exception).toContain('This is a 400');
    // Without capture and with it; two were left, one refused. Nothing is counted by a layer below.
    expect(openai.requests.length + anthropic.requests.length).toBe(2 * 7);
    expect(usageOf(calls).map(({ requests }) => requests)).toEqual([1, 1, 1, 1]);
  }, 60_000);

  test('and tools, retrievers and lambdas are, with what they call', async () => {
    const { calls, paths } = await record('parts', format);
    const byRoot = ['weather', 'weather > lookUp'];
    expect(paths.toSorted()).toEqual(
      [
        ...byRoot,
        ...byRoot,
        ...byRoot,
        'breaks',
        'Archive',
        'Archive > lookUp',
        'RunnableMap',
        'RunnableMap > double',
        'RunnableMap > double',
        'RunnableMap > double > lookUp',
        'RunnableMap > double > lookUp',
        'around',
        'around > weather',
        'around > weather > lookUp',
      ].toSorted(),
    );
    const named = (name: string) => calls.find(({ op_name: op }) => op === `langchain.${name}`);
    expect(named('weather')).toMatchObject({ inputs: { city: 'Oslo' }, output: 'Oslo: found' });
    expect(named('weather')?.attributes['kind']).toBe('tool');
    expect(named('breaks')?.exception).toContain('TypeError: The sensor broke');
    expect(named('Archive')).toMatchObject({
      inputs: { query: 'foxes' },
      output: [{ pageContent: 'foxes: found', metadata: { page: 1 } }],
    });
    // Each call of a tool has its own function below.
    const parents = calls.filter(({ op_name: op }) => opNameOf(op) === 'lookUp').map(({ parent_id: parent }) => parent);
    expect(new Set(parents).size).toBe(parents.length);
  }, 60_000);

  test('and its graph is, with parallel calls of tools', async () => {
    const { calls, paths } = await record('graph', format);
    const tool = 'LangGraph > tools > weather';
    expect(paths.filter((path) => !path.includes('RunnableLambda')).toSorted()).toEqual(
      [
        'LangGraph',
        'LangGraph > agent',
        'LangGraph > agent > ChatOpenAI',
        'LangGraph > tools',
        tool,
        tool,
        `${tool} > lookUp`,
        `${tool} > lookUp`,
      ].toSorted(),
    );
    expect(calls[0]?.attributes['kind']).toBe('agent');
    expect(usageOf(calls)).toMatchObject([{ requests: 1, total_tokens: 42 }]);
  }, 60_000);
});

test('without LangGraph, too, what lambdas and classes of tools call is below them', async () => {
  const source = `import { RunnableLambda } from '@langchain/core/runnables'; import { StructuredTool } from '@langchain/core/tools';
    import { traced } from 'spoor'; import { z } from 'zod/v4';
    const lookUp = traced((x) => x, { name: 'lookUp' });
    class Echo extends StructuredTool {
      name = 'echo'; description = 'Echo'; schema = z.object({ a: z.string() });
      async _call({ a }) { return lookUp(a); }
    }
    await new Echo().invoke({ a: 'b' });
    await RunnableLambda.from((x) => lookUp(x)).invoke('c');`;
  const project = new UserProject({ 'main.mjs': source }).linkOthers();
  const outcome = await project.run(['--import', 'spoor/register', 'main.mjs'], machine.home);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const calls = await callsOf(machine.service);
  expect(calls.map((call) => pathOf(calls, call))).toEqual([
    'Echo',
    'Echo > lookUp',
    'RunnableLambda',
    'RunnableLambda > lookUp',
  ]);
});

test('stats name the library, and a library of another shape is no reason to fail', async () => {
  const LIBRARY = '@langchain/core';
  const source = `import '${LIBRARY}/callbacks/manager'; import { flush, stats, traced } from 'spoor'; traced(() => 1)();
    await flush(); console.log(JSON.stringify(stats().captured));`;
  const real = new UserProject({ 'main.mjs': source }).linkOthers();
  const { stdout } = await real.run(['--import', 'spoor/register', 'main.mjs'], machine.home);
  expect(JSON.parse(stdout)).toEqual([
    { library: LIBRARY, version: '1.4.0', hook: 'import', ops: ['langchain.*'], state: 'captured' },
  ]);
  const packageJson = { name: LIBRARY, version: '1.99.0', type: 'module', exports: { './*': './dist/*.js' } };
  const strange = new UserProject({
    'main.mjs': `import { CallbackManager } from '${LIBRARY}/callbacks/manager'; console.log(typeof CallbackManager);`,
    [`node_modules/${LIBRARY}/package.json`]: JSON.stringify(packageJson),
    [`node_modules/${LIBRARY}/dist/callbacks/manager.js`]:
      'export class CallbackManager { static _configureSync() {} } Object.freeze(CallbackManager);',
  });
  const outcome = await strange.run(['--import', 'spoor/register', 'main.mjs'], machine.home);
  expect(outcome).toMatchObject({ code: 0, stdout: 'function\n' });
  expect(outcome.stderr).toContain('1.99.0 has no CallbackManager._configureSync');
});

import { expect, onTestFinished, test } from 'vitest';
import { opNameOf } from '../../src/protocol/ref.ts';
import { machinePerFile } from '../flow/machine.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, type Format, UserProject } from './program.ts';

const PROGRAM = new URL('../integrations/langchain-ends-program.ts', import.meta.url);

const machine = machinePerFile();

type Calls = Awaited<ReturnType<typeof callsOf>>;

/** A call with what is below it: how each ended. */
function treeOf(calls: Calls, call: Calls[number]): string {
  const below = calls.filter(({ parent_id: parent }) => parent === call.id).map((each) => treeOf(calls, each));
  const name = opNameOf(call.op_name).replace('langchain.', '');
  return `${name} ${endOf(call)}${below.length === 0 ? '' : ` (${below.toSorted().join(', ')})`}`;
}

/** The words of an abort are those of whoever was first to see it. */
function endOf({ ended_at: endedAt, exception, summary }: Calls[number]): string {
  if (endedAt === null) return 'is open';
  const [said = ''] = /^[^\n]*/.exec(exception ?? '') ?? [];
  if (said !== '') return /abort/i.test(said) ? 'aborted' : said;
  const { reason } = (summary?.['stream'] ?? {}) as { readonly reason?: string };
  return reason ?? 'ok';
}

const ofChain = (end: string, model = end) =>
  `RunnableSequence ${end} (ChatOpenAI ${model}, ChatPromptTemplate ok, StrOutputParser ${end})`;
const GRAPH_ABORTED = 'LangGraph aborted (agent aborted (ChatOpenAI aborted))';
// A graph stops its nodes by a signal when it is left.
const GRAPH_LEFT = 'LangGraph break (agent aborted (ChatOpenAI break))';
const MAP_LEFT = 'RunnableMap break (ChatOpenAI break, RunnableLambda break)';
const TOO_MANY = 'RateLimitCapacityError: 429 This is a 429';

/** By scenario: the end of its function, and what is below. */
const ENDS: Readonly<Record<string, readonly [end: string, below: string]>> = {
  'model, aborted before': ['aborted', 'ChatOpenAI aborted'],
  'model, aborted': ['aborted', 'ChatOpenAI aborted'],
  'chain, aborted': ['aborted', 'RunnableSequence aborted (ChatOpenAI aborted, ChatPromptTemplate ok)'],
  'graph, aborted': ['aborted', GRAPH_ABORTED],
  'model, stream, aborted': ['aborted', 'ChatOpenAI aborted'],
  'chain, stream, aborted': ['aborted', ofChain('aborted')],
  'graph, stream, aborted': ['aborted', GRAPH_ABORTED],
  'lambda, stream, aborted': ['aborted', 'RunnableLambda aborted'],
  'model, stream, aborted between': ['aborted', 'ChatOpenAI aborted'],
  'chain, stream, aborted between': ['aborted', ofChain('aborted')],
  'model, stream, reader': ['ok', 'ChatOpenAI break'],
  'chain, stream, reader': ['ok', ofChain('break')],
  'graph, stream, reader': ['ok', GRAPH_LEFT],
  'map, stream, reader': ['ok', MAP_LEFT],
  'chain, stream, pipe': ['ok', ofChain('break')],
  'chain, stream, branches': ['ok', ofChain('break')],
  'chain, stream, cancel': ['ok', ofChain('break')],
  'graph, stream, break': ['ok', GRAPH_LEFT],
  'map, stream, break': ['ok', MAP_LEFT],
  'lambda, stream, break': ['ok', 'RunnableLambda break'],
  'chain, events, break': ['ok', ofChain('aborted')],
  'chain, stream': ['ok', ofChain('ok', 'end')],
  'model, 400': ['Error: 400 This is a 400', 'ChatOpenAI Error: 400 This is a 400'],
  'model, 429': [TOO_MANY, `ChatOpenAI ${TOO_MANY}`],
  'model, 429 once': ['ok', 'ChatOpenAI ok'],
  'model, 500': ['Error: 500 This is a 500', 'ChatOpenAI Error: 500 This is a 500'],
  'model, 500 twice': ['ok', 'ChatOpenAI ok'],
  'model, stream, 400': ['Error: 400 This is a 400', 'ChatOpenAI Error: 400 This is a 400'],
  'model, stream, 429 once': ['ok', 'ChatOpenAI end'],
  'model, stream, 500': ['Error: 500 This is a 500', 'ChatOpenAI Error: 500 This is a 500'],
  'chain, stream, error within': ['Error: The model broke', ofChain('Error: The model broke')],
  'chain, stream, torn': ['TypeError: terminated', ofChain('TypeError: terminated')],
};

test.each<Format>(['esm', 'cjs'])(
  'requests of LangChain as %s that are aborted, left, refused or made again: the same output, and how each ended',
  async (format) => {
    const main = format === 'esm' ? 'main.mjs' : 'main.cjs';
    const project = new UserProject().linkOthers();
    await project.compile(PROGRAM, main, format);
    // A provider for each, as it refuses some requests the first time only.
    const run = async (env: NodeJS.ProcessEnv, ...flags: string[]) => {
      const provider = await startOpenAI();
      onTestFinished(() => provider.close());
      const environment = { PROVIDER: provider.url, NODE_NO_WARNINGS: '1', ...env };
      const finished = await project.run([...flags, main], machine.home, environment);
      return { ...finished, stdout: finished.stdout.split('\n'), requests: requestsOf(provider) };
    };
    const bare = await run({ SPOOR_DISABLED: '1' });
    expect(bare).toMatchObject({ code: 0, stderr: '' });
    expect(await run({}, '--import', 'spoor/register')).toEqual(bare);
    expect(bare.requests).toMatchObject({
      'status-400': 2,
      'status-429': 1,
      'status-500': 4,
      'once-429': 4,
      'twice-500': 3,
    });
    const calls = await callsOf(machine.service);
    const roots = calls.filter(({ parent_id: parent }) => parent === null);
    const wanted = Object.entries(ENDS).map(([name, [end, below]]) => `${nameOf(name)} ${end} (${below})`);
    expect(roots.map((root) => treeOf(calls, root)).toSorted()).toEqual(wanted.toSorted());
    const below = (scenario: string) => calls.find(({ parent_id: parent }) => parent === rootOf(scenario)?.id);
    const rootOf = (scenario: string) => roots.find(({ op_name: op }) => opNameOf(op) === nameOf(scenario));
    // A request that the library makes again is one, with the tokens of the answer.
    for (const scenario of ['model, 429 once', 'model, 500 twice', 'model, stream, 429 once']) {
      const [usage] = Object.values(rootOf(scenario)?.summary?.['usage'] ?? {}) as unknown[];
      expect(usage).toMatchObject({ requests: 1, total_tokens: 42 });
    }
    for (const scenario of ['model, stream, aborted', 'model, stream, aborted between', 'model, stream, reader']) {
      const { output, summary } = below(scenario) ?? {};
      expect([scenario, output]).toEqual([
        scenario,
        expect.arrayContaining([{ type: 'ai', content: '', id: 'chatcmpl-1' }]),
      ]);
      expect(summary?.['stream']).toMatchObject({ chunks: (output as unknown[]).length });
    }
  },
  120_000,
);

/** Ops are named without what has a meaning elsewhere. */
function nameOf(scenario: string): string {
  return scenario.replaceAll(', ', '-').replaceAll(' ', '-');
}

/** How many each model got; what is aborted at once may never get there. */
function requestsOf({ requests }: Provider): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { body } of requests) {
    const { model } = body as { readonly model: string };
    if (model !== 'silent') counts[model] = (counts[model] ?? 0) + 1;
  }
  return counts;
}

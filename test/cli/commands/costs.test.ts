import { expect, test } from 'vitest';
import { makeHome, runCli, startServiceProcess } from '../../flow/service-process.ts';
import { useMemoryService } from './memory-service.ts';
import { recorded } from './recorded-traces.ts';

const status_counts = { success: 3, error: 0 };
const asked = { requests: 1, input_tokens: 1000, output_tokens: 100 };
const llama = 'llama-3.3-70b-versatile';

const memoryService = useMemoryService((reader) =>
  reader.calls.write([
    // Added up by its client, which says who was asked.
    ...recorded('2026-01-03T10:00:00Z', [0, 9], {
      id: 'r1',
      trace_id: 'rolled-up',
      op_name: 'agent',
      summary: {
        status_counts,
        usage: { 'gpt-4o': asked, [llama]: asked, mine: asked },
        providers: { [llama]: { provider: 'groq' } },
      },
    }),
    ...recorded('2026-01-03T10:00:00Z', [1, 2], {
      id: 'r2',
      trace_id: 'rolled-up',
      parent_id: 'r1',
      op_name: 'chat',
      attributes: { provider: 'openai' },
      summary: { status_counts: { success: 1, error: 0 }, usage: { 'gpt-4o': asked } },
    }),
    ...recorded('2026-01-03T10:00:00Z', [3, 4], {
      id: 'r3',
      trace_id: 'rolled-up',
      parent_id: 'r1',
      op_name: 'chat',
      attributes: { provider: 'groq' },
      summary: { status_counts: { success: 1, error: 0 }, usage: { [llama]: asked, mine: asked } },
    }),
    // Of a client that adds nothing up, but for one of its calls.
    ...recorded('2026-01-02T10:00:00Z', [0, 9], { id: 's1', trace_id: 'spans', op_name: 'request' }),
    ...recorded('2026-01-02T10:00:00Z', [1, 5], {
      id: 's2',
      trace_id: 'spans',
      parent_id: 's1',
      op_name: 'generate',
      summary: { usage: { 'gpt-4o': asked } },
    }),
    ...recorded('2026-01-02T10:00:00Z', [2, 4], {
      id: 's3',
      trace_id: 'spans',
      parent_id: 's2',
      op_name: 'doGenerate',
      summary: { usage: { 'gpt-4o': asked } },
    }),
    ...recorded('2026-01-02T10:00:00Z', [6, 8], {
      id: 's4',
      trace_id: 'spans',
      parent_id: 's1',
      op_name: 'chat',
      summary: { usage: { 'gpt-4o': asked } },
    }),
    ...recorded('2026-01-01T10:00:00Z', [0, 9], { id: 'f1', trace_id: 'nothing', op_name: 'tick' }),
  ]),
);

// 1,000 and 100 tokens: $0.0035 of gpt-4o, $0.000669 of the other one.
test('ls shows what traces cost, counted once, and names the models that have no price', async () => {
  const { stdout } = await memoryService().run('ls');
  const cells = stdout.split('\n').map((line) => line.split(/ {2,}/).at(-3));
  expect(cells.slice(0, 3)).toEqual(['cost', '≥ $0.0042 (no price: mine)', '$0.0070']);
  expect(stdout.split('\n')[3]).not.toContain('$');
});

test('ls --json has the amounts by currency', async () => {
  const { stdout } = await memoryService().run('ls', '--json');
  expect(JSON.parse(stdout)).toMatchObject([
    { cost: { amounts: { USD: 0.004169 }, unpricedModels: ['mine'], isEstimate: false }, tokens: { total: 3300 } },
    { cost: { amounts: { USD: 0.007 }, unpricedModels: [] }, tokens: { total: 2200 }, callCount: 4 },
    { cost: null, tokens: null },
  ]);
});

test('show has the sum in its head, what each call cost, and the models that have no price', async () => {
  const { stdout } = await memoryService().run('show', 'rolled-up');
  expect(stdout).toContain('3 calls · 3,300 tokens · ≥ $0.0042 (no price: mine)');
  expect(stdout).toContain('1,100 tok  $0.0035  gpt-4o');
  expect(stdout).toContain(`2,200 tok  ≥ $0.00067  ${llama}  mine`);
  const spans = await memoryService().run('show', 'spans');
  expect(spans.stdout).toContain('4 calls · 2,200 tokens · $0.0070');
});

test('--prices none is a service that knows no prices', async () => {
  const home = makeHome();
  const service = await startServiceProcess(home.home, ['--storage', 'memory', '--prices', 'none']);
  try {
    const { createReader } = await import('../../../src/reader/reader.ts');
    const reader = createReader({ url: service.url, apiKey: service.apiKey, project: 'acme/demo' });
    const call = { id: 'r1', trace_id: 't', op_name: 'agent', summary: { status_counts, usage: { 'gpt-4o': asked } } };
    await reader.calls.write(recorded('2026-01-03T10:00:00Z', [0, 9], call));
    const { stdout } = await runCli(home.home, 'ls', '--project', 'acme/demo');
    expect(stdout).toContain('no price: gpt-4o');
  } finally {
    await service.stop();
    home.remove();
  }
}, 120_000);

import { strict as assert } from 'node:assert';
import type { CallOutline, OutlinePlan } from '../../storage/contract/overviews.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Check, Contracts } from './contract.ts';
import { endFact, NEW_YEAR, PROJECT, SECOND, startFact, type WireRequest } from './facts.ts';
import { overviewsIn } from './overviews-conformance.ts';
import { planOf } from './plans.ts';

/** Calls in short. */
export function outlinesConformance({ contract: state }: Contracts): void {
  const contract = (name: string, check: Check) => state(name, check, 'overviews');

  contract('an outline says what a call was, what became of it and what it used', async (storage) => {
    const usage = { m: { input_tokens: 2, output_tokens: 3 } };
    await storage.calls.write([
      startFact('c', {
        trace_id: 't',
        parent_id: 'p',
        thread_id: 'chat',
        display_name: 'Name',
        attributes: '{"kind":"llm","provider":"openai"}',
        inputs: '{"question":"Why?"}',
      }),
      endFact('c', {
        exception: 'TypeError: x is not a function\n  at f',
        output: '"Because"',
        summary: JSON.stringify({ usage, stream: { chunks: 2, first_chunk_ms: 12, reason: 'done' } }),
      }),
    ]);
    const tokens = { plainPrompt: 2, plainCompletion: 3, cacheRead: 0, cacheWrite: 0, reasoning: 0, requests: 0 };
    assert.deepEqual(await outlines(storage, {}, { hasPreviews: true }), [
      {
        id: 'c',
        trace_id: 't',
        parent_id: 'p',
        thread_id: 'chat',
        op_name: 'f',
        display_name: 'Name',
        started_at: NEW_YEAR,
        ended_at: NEW_YEAR + SECOND,
        status: 'error',
        error: 'TypeError: x is not a function',
        error_type: 'TypeError',
        kind: 'llm',
        first_chunk_ms: 12,
        usages: [{ model: 'm', provider: 'openai', host: null, tokens: { ...tokens, total: 5 } }],
        input: 'Why?',
        output: 'Because',
      },
    ]);
  });

  contract('an outline of a running call has nothing that only an end brings', async (storage) => {
    await storage.calls.write([startFact('c')]);
    const [outline] = await outlines(storage, {}, { hasPreviews: true });
    assert.equal(outline?.status, 'running');
    const { ended_at, error, error_type, kind, first_chunk_ms, usages, input, output } = outline;
    assert.deepEqual([ended_at, error, error_type, kind, first_chunk_ms, input, output], Array(7).fill(null));
    assert.deepEqual(usages, []);
  });

  contract('an outline has previews only where they are asked for', async (storage) => {
    await storage.calls.write([startFact('c', { inputs: '{"q":"x"}' }), endFact('c', { output: '1' })]);
    const [outline] = await outlines(storage);
    assert.deepEqual([outline?.input, outline?.output], [null, null]);
  });

  contract('the status of an outline is that of the call', async (storage) => {
    await storage.calls.write([
      startFact('below'),
      endFact('below', { summary: '{"status_counts":{"error":1}}' }),
      startFact('fine'),
      endFact('fine'),
    ]);
    assert.deepEqual(
      (await outlines(storage)).map(({ status }) => status),
      ['descendant_error', 'success'],
    );
  });

  contract('a preview is one line of what stands for a body', async (storage) => {
    const chat = {
      messages: [
        { role: 'user', content: 'first' },
        { role: 'user', content: [{ type: 'text', text: 'last' }] },
        { role: 'assistant', content: 'hm' },
      ],
    };
    const shown: readonly (readonly [object, string | null])[] = [
      [{}, null],
      [{ text: 'two\n lines' }, 'two lines'],
      [{ a: 1, b: 'x' }, '{"a":1,"b":"x"}'],
      [chat, 'last'],
      [{ request: chat }, 'last'],
      [{ a: `a\u0000b` }, 'a\0b'],
      [{ a: 'x'.repeat(300) }, 'x'.repeat(200)],
      [{ a: `${'x'.repeat(199)}😀` }, 'x'.repeat(199)],
    ];
    await storage.calls.write(
      shown.map(([inputs], index) => startFact(`c${index}`, { inputs: JSON.stringify(inputs) })),
    );
    const found = await outlines(storage, {}, { hasPreviews: true });
    assert.deepEqual(
      found.map(({ input }) => input),
      shown.map(([, preview]) => preview),
    );
  });

  contract('a preview of a large body is what it begins with', async (storage) => {
    const long = 'é'.repeat(200_000);
    const output = JSON.stringify(long);
    const attributes = JSON.stringify({ kind: 'tool', more: long });
    const summary = JSON.stringify({ more: long, usage: { m: { input_tokens: 1 } } });
    await storage.calls.write([
      startFact('c', { inputs: JSON.stringify({ long }), attributes }),
      endFact('c', { output, summary, exception: long }),
    ]);
    const [outline] = await outlines(storage, {}, { hasPreviews: true });
    assert.equal(outline?.output, output.slice(0, 200));
    assert.equal(outline.input, JSON.stringify({ long }).slice(0, 200));
    assert.equal(outline.error, long.slice(0, 200));
    assert.equal(outline.kind, 'tool');
    assert.equal(outline.usages[0]?.tokens.total, 1);
  });

  contract('outlines go on behind a call in both directions', async (storage) => {
    const facts = ['a', 'b', 'c', 'd'].map((id, index) =>
      startFact(id, { started_at: NEW_YEAR + Math.floor(index / 2) }),
    );
    await storage.calls.write(facts);
    const after = { startedAt: NEW_YEAR, id: 'b' };
    assert.deepEqual(await outlineIds(storage, 'asc', { after }), ['c', 'd']);
    assert.deepEqual(await outlineIds(storage, 'desc', { after }), ['a']);
    assert.deepEqual(await outlineIds(storage, 'desc', { after: { startedAt: NEW_YEAR + 1, id: 'd' }, limit: 2 }), [
      'c',
      'b',
    ]);
  });

  contract('more outlines than a chunk holds are all read in order', async (storage) => {
    const ids = Array.from({ length: 2500 }, (_, index) => `c${10_000 + index}`);
    await storage.calls.write(ids.map((id) => startFact(id, { trace_id: 'one' })));
    const found = await outlines(storage, { filter: { trace_ids: ['one'] } });
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
    );
  });
}

async function outlineIds(storage: Storage, direction: 'asc' | 'desc', more: Partial<OutlinePlan>): Promise<string[]> {
  const sort_by = [
    { field: 'started_at', direction },
    { field: 'id', direction },
  ];
  return (await outlines(storage, { sort_by }, more)).map(({ id }) => id);
}

async function outlines(
  storage: Storage,
  request: WireRequest = {},
  more: Partial<OutlinePlan> = {},
): Promise<CallOutline[]> {
  const { bodies: _bodies, ...plan } = planOf({ project_id: PROJECT, ...request });
  const found: CallOutline[] = [];
  for await (const chunk of overviewsIn(storage).outlines({ ...plan, hasPreviews: false, ...more })) {
    found.push(...chunk);
  }
  return found;
}

import { strict as assert } from 'node:assert';
import type { Storage } from '../../storage/contract/storage.ts';
import type { CallTraits, TraitField, TraitPlan } from '../../storage/contract/traits.ts';
import type { Check, Contracts } from './contract.ts';
import { endFact, NEW_YEAR, PROJECT, SECOND, startFact, type WireRequest } from './facts.ts';
import { overviewsIn } from './overviews-conformance.ts';
import { selectionOf } from './plans.ts';

/** Traits of calls, for statistics. */
export function traitsConformance({ contract: state }: Contracts): void {
  const contract = (name: string, check: Check) => state(name, check, 'overviews');

  contract('traits of a call are what it was, what became of it and what it used', async (storage) => {
    const usage = { m: { input_tokens: 2, output_tokens: 3 }, n: { input_tokens: 5, cache_read_tokens: 1 } };
    await storage.calls.write([
      startFact('c', {
        op_name: `svc:///${PROJECT}/op/answer:v1`,
        thread_id: 'chat',
        attributes: '{"kind":"llm","provider":"openai"}',
        inputs: '{}',
      }),
      endFact('c', {
        exception: 'TypeError: x is not a function\n  at f',
        ended_at: NEW_YEAR + SECOND + 999,
        summary: JSON.stringify({ usage, stream: { first_chunk_ms: 12.5 } }),
      }),
    ]);
    assert.deepEqual(callsOf(await traitsIn(storage)), [
      [
        'attributes.kind type text',
        'attributes.kind value llm',
        'attributes.provider type text',
        'attributes.provider value openai',
        'error TypeError',
        'firstChunk #12.5',
        'inputBytes #2',
        'latency #1000',
        'model m',
        'model n',
        'op answer',
        'provider openai',
        'root yes',
        'status error',
        'thread yes',
        'tokensIn #8',
        'tokensOut #3',
        `version svc:///${PROJECT}/op/answer:v1`,
      ],
    ]);
  });

  contract('traits of bodies are short values, what values are, and how long', async (storage) => {
    const inputs = {
      deep: { a: { b: { c: { d: 1 } } } },
      list: [1, 2],
      none: null,
      long: 'é'.repeat(201),
      n: 1.5,
      is: true,
    };
    await storage.calls.write([
      startFact('c', { parent_id: 'p', inputs: JSON.stringify(inputs), attributes: '{"a":["x"]}' }),
    ]);
    assert.deepEqual(callsOf(await traitsIn(storage)), [
      [
        'attributes.a length #1',
        'attributes.a type list',
        `inputBytes #${Buffer.byteLength(JSON.stringify(inputs))}`,
        'inputs.deep type object',
        'inputs.deep.a type object',
        'inputs.deep.a.b type object',
        'inputs.deep.a.b.c type object',
        'inputs.is type boolean',
        'inputs.is value true',
        'inputs.list length #2',
        'inputs.list type list',
        'inputs.long length #201',
        'inputs.long type text',
        'inputs.n type number',
        'inputs.n value #1.5',
        'inputs.n value 1.5',
        'op f',
        'status running',
        'version f',
      ],
    ]);
  });

  contract('bodies that are long are not looked into', async (storage) => {
    const inputs = JSON.stringify({ text: 'x'.repeat(20_000), n: 1 });
    await storage.calls.write([startFact('c', { inputs, attributes: inputs }), endFact('c')]);
    const [call] = callsOf(await traitsIn(storage));
    assert.deepEqual(call, [
      `inputBytes #${inputs.length}`,
      'latency #1000',
      'op f',
      'root yes',
      'status success',
      'version f',
    ]);
  });

  contract('calls of another selection are left out', async (storage) => {
    const kinds = ['a', 'b', 'a', 'c'];
    await storage.calls.write(kinds.map((op_name, index) => startFact(`c${index}`, { op_name })));
    await storage.calls.write([startFact('elsewhere', { project_id: 'acme/other' })]);
    const without = selectionOf({ project_id: PROJECT, filter: { op_names: ['a'] } });
    const left = await traitsIn(storage, {}, { without });
    assert.equal(left.total, 2);
    assert.deepEqual(opsOf(left), ['b', 'c']);
    const query: WireRequest['query'] = { $expr: { $gt: [{ $getField: 'op_name' }, { $literal: 'a' }] } };
    assert.deepEqual(opsOf(await traitsIn(storage, { query }, { without })), ['b', 'c']);
    const all = selectionOf({ project_id: PROJECT });
    assert.deepEqual(
      await traitsIn(storage, {}, { without: all }),
      await traitsIn(storage, { filter: { op_names: ['x'] } }),
    );
  });

  contract('of many calls so many are looked at, the same each time', async (storage) => {
    await storage.calls.write(
      Array.from({ length: 60 }, (_, index) => startFact(`c${index}`, { op_name: `op-${index}` })),
    );
    const some = await traitsIn(storage, {}, { limit: 25 });
    assert.deepEqual([some.total, some.count], [60, 25]);
    assert.equal(new Set(opsOf(some)).size, 25);
    assert.deepEqual(opsOf(await traitsIn(storage, {}, { limit: 25 })), opsOf(some));
    assert.equal((await traitsIn(storage, {}, { limit: 60 })).count, 60);
  });

  contract('calls of one trace share a number', async (storage) => {
    await storage.calls.write(
      ['t', 'u', 't', 'v'].map((trace_id, index) => startFact(`c${index}`, { trace_id, op_name: trace_id })),
    );
    const found = await traitsIn(storage);
    const byTrace = new Map<number, Set<string>>();
    for (const [place, op] of opsByCall(found).entries()) {
      const trace = found.traces[place] ?? -1;
      byTrace.set(trace, (byTrace.get(trace) ?? new Set()).add(op));
    }
    assert.deepEqual([...byTrace.values()].map((ops) => [...ops].join()).sort(), ['t', 'u', 'v']);
  });
}

async function traitsIn(
  storage: Storage,
  request: WireRequest = {},
  more: Partial<TraitPlan> = {},
): Promise<CallTraits> {
  const selection = selectionOf({ project_id: PROJECT, ...request });
  return await overviewsIn(storage).traits({ ...selection, limit: 100, ...more });
}

/** Traits of each call as texts, in one order. */
export function callsOf(traits: CallTraits): string[][] {
  const { fields, texts, textPlaces, textEnds, numbers, numberFields, numberEnds } = traits;
  return Array.from({ length: traits.count }, (_, call) => {
    const said: string[] = [];
    for (let at = textEnds[call - 1] ?? 0; at < (textEnds[call] ?? 0); at++) {
      const text = texts[textPlaces[at] ?? -1];
      said.push(`${nameOf(fields[text?.field ?? -1])} ${text?.text ?? ''}`);
    }
    for (let at = numberEnds[call - 1] ?? 0; at < (numberEnds[call] ?? 0); at++) {
      said.push(`${nameOf(fields[numberFields[at] ?? -1])} #${numbers[at] ?? Number.NaN}`);
    }
    return said.sort();
  });
}

function nameOf(field: TraitField | undefined): string {
  assert(field, 'a trait is of a field');
  return field.kind === 'named' ? field.name : `${[field.column, ...field.path].join('.')} ${field.of}`;
}

function opsByCall(traits: CallTraits): string[] {
  return callsOf(traits).map((call) => call.find((said) => said.startsWith('op '))?.slice(3) ?? '');
}

function opsOf(traits: CallTraits): string[] {
  return opsByCall(traits).sort();
}

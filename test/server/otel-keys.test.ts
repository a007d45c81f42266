import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

/** Where conventions keep things, in the order in which they are looked for: protocol 10.4, 10.5 and section 2. */
const INPUTS = `ai.prompt · gen_ai.prompt · input.value · mlflow.spanInputs · gen_ai.input.messages ·
  pydantic_ai.all_messages · traceloop.entity.input · gcp.vertex.agent.tool_call_args · gcp.vertex.agent.llm_request ·
  events.gen_ai.user.message · llm.input_messages · ai.toolCall.args · ai.value · ai.values ·
  gen_ai.tool.call.arguments · events.gen_ai.content.prompt · input · inputs`;
const OUTPUT = `ai.response · gen_ai.completion · output.value · gen_ai.output.messages · mlflow.spanOutputs ·
  final_result · gen_ai.content.completion · traceloop.entity.output · gcp.vertex.agent.tool_response ·
  gcp.vertex.agent.llm_response · events.gen_ai.choice · llm.output_messages · ai.toolCall.result · ai.embedding ·
  ai.embeddings · gen_ai.tool.call.result · events.gen_ai.content.completion · output · outputs`;
const TOKENS = {
  prompt_tokens: 'gen_ai.usage.prompt_tokens · llm.token_count.prompt · ai.usage.promptTokens',
  completion_tokens: 'gen_ai.usage.completion_tokens · llm.token_count.completion · ai.usage.completionTokens',
  input_tokens: 'gen_ai.usage.input_tokens · ai.usage.inputTokens · ai.usage.tokens',
  output_tokens: 'gen_ai.usage.output_tokens · ai.usage.outputTokens',
  cache_read_tokens: `gen_ai.usage.cache_read.input_tokens · gen_ai.usage.cache_read_input_tokens ·
    llm.token_count.prompt_details.cache_read · ai.usage.cachedInputTokens`,
  cache_write_tokens: `gen_ai.usage.cache_creation.input_tokens · gen_ai.usage.cache_creation_input_tokens ·
    llm.token_count.prompt_details.cache_write`,
  reasoning_tokens: `gen_ai.usage.reasoning.output_tokens · gen_ai.usage.reasoning_tokens ·
    llm.token_count.completion_details.reasoning · ai.usage.reasoningTokens`,
  total_tokens: 'llm.usage.total_tokens · llm.token_count.total · gen_ai.usage.total_tokens · ai.usage.totalTokens',
};
const ATTRIBUTES = {
  system: 'gen_ai.system · llm.system · gen_ai.system_instructions · system_prompt',
  kind: 'svc.span.kind · weave.span.kind · traceloop.span.kind · openinference.span.kind · mlflow.spanType',
  model: 'gen_ai.response.model · gen_ai.request.model · llm.model_name · ai.model.id · embedding.model_name',
  provider: 'llm.provider · ai.model.provider · gen_ai.provider.name',
  model_parameters: 'gen_ai.request · llm.invocation_parameters',
  agent: 'gen_ai.agent.name',
  tools: 'gen_ai.agent.tools · gen_ai.tool.definitions',
  operation: 'gen_ai.operation.name',
};
const FIELDS = {
  display_name: 'svc.display_name · wandb.display_name',
  svc_run_id: 'svc.run_id · wandb.wb_run_id',
  svc_run_step: 'svc.run_step · wandb.wb_run_step',
  svc_run_step_end: 'svc.run_step_end · wandb.wb_run_step_end',
  thread_id: `gcp.vertex.agent.session_id · svc.thread_id · wandb.thread_id · gen_ai.conversation.id · session.id`,
};

type Pair = readonly [key: string, value: string];

/** Attributes of one span, and what its call says. */
interface Case {
  readonly name: string;
  readonly pairs: readonly Pair[];
  readonly expected: object;
}

/** Each key alone is found, and of two neighbours the first, whatever order they come in. */
function casesOf(
  target: string,
  list: string,
  valueOf: (index: number) => string,
  callOf: (key: string, value: string) => object,
): Case[] {
  return list.split('·').flatMap((item, index, items) => {
    const pair: Pair = [item.trim(), valueOf(index)];
    const expected = callOf(...pair);
    const next = items[index + 1]?.trim();
    const alone: Case = { name: `${target} from ${pair[0]}`, pairs: [pair], expected };
    if (next === undefined) return [alone];
    return [
      alone,
      { name: `${target} from ${pair[0]}, not ${next}`, pairs: [[next, valueOf(index + 1)], pair], expected },
    ];
  });
}

const word = (index: number) => `value ${index}`;
const digits = (index: number) => String(index + 1);

const CASES: Case[] = [
  ...casesOf('inputs', INPUTS, word, (key, value) => ({ inputs: { [key]: value } })),
  ...casesOf('output', OUTPUT, word, (key, value) => ({ output: /^outputs?$/.test(key) ? value : { [key]: value } })),
  ...Object.entries(TOKENS).flatMap(([name, keys]) =>
    casesOf(name, keys, digits, (_key, value) => ({
      summary: { usage: { usage: { [name]: Number(value), total_tokens: Number(value) } } },
    })),
  ),
  ...Object.entries(ATTRIBUTES).flatMap(([name, keys]) =>
    casesOf(name, keys, word, (_key, value) => ({ attributes: { [name]: value } })),
  ),
  ...Object.entries(FIELDS).flatMap(([name, keys]) => {
    const isNumber = name.startsWith('svc_run_step');
    return casesOf(name, keys, isNumber ? digits : word, (_key, value) => {
      if (name === 'svc_run_id') return { [name]: `${PROJECT}/${value}` };
      return { [name]: isNumber ? Number(value) : value };
    });
  }),
  {
    name: 'attributes of our own go before found ones',
    pairs: [
      ['svc.attributes', '{"system":"mine","more":1}'],
      ['wandb.attributes', '{}'],
      ['llm.system', 'theirs'],
    ],
    expected: { attributes: { system: 'mine', more: 1 } },
  },
  {
    name: 'attributes in the spelling of the vendor',
    pairs: [['wandb.attributes', '{"more":1}']],
    expected: { attributes: { more: 1 } },
  },
  {
    name: 'the object under inputs is the inputs',
    pairs: [
      ['inputs', '{"q":1}'],
      ['outputs', '{"a":1}'],
    ],
    expected: { inputs: { q: 1 }, output: { a: 1 } },
  },
];

const idOf = (index: number) => (index + 1).toString(16).padStart(16, '0');

describe('keys of conventions', () => {
  let server: RunningServer;
  const calls = new Map<string, { summary: Record<string, unknown>; attributes: Record<string, unknown> }>();

  beforeAll(async () => {
    server = await startServer();
    const spans = CASES.map(({ pairs }, index) => ({
      traceId: '1'.repeat(32),
      spanId: idOf(index),
      name: 'span',
      startTimeUnixNano: '1767225600000000000',
      endTimeUnixNano: '1767225600000000000',
      attributes: pairs.map(([key, stringValue]) => ({ key, value: { stringValue } })),
    }));
    const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    await server.post('/otel/v1/traces', body, { project_id: PROJECT });
    const { text } = await server.post('/calls/stream_query', { project_id: PROJECT });
    for (const line of text.trim().split('\n')) {
      const call = JSON.parse(line) as {
        id: string;
        summary: Record<string, unknown>;
        attributes: Record<string, unknown>;
      };
      calls.set(call.id, call);
    }
  });
  afterAll(() => server.close());

  test('there are all of them', () => {
    expect(calls.size).toBe(CASES.length);
    expect(CASES.length).toBeGreaterThan(150);
  });

  test.each(CASES.map((each, index) => [each.name, index, each.expected] as const))('%s', (_name, index, expected) => {
    const { summary, attributes, ...call } = calls.get(idOf(index)) ?? { summary: {}, attributes: {} };
    const { svc: _computed, ...usage } = summary;
    // A request model is also one of the parameters of the model.
    const { otel_span: _raw, model_parameters: parameters, ...found } = attributes;
    const named = JSON.stringify(expected).includes('model_parameters') ? { model_parameters: parameters } : found;
    expect({ ...call, summary: usage, attributes: named }).toEqual(expect.objectContaining(expected));
  });
});

import { W } from '../spelling/dialect.ts';

/** Where the conventions of instrumentation libraries keep things; the first key found wins. */

export const INPUT_KEYS = [
  'ai.prompt',
  'gen_ai.prompt',
  'input.value',
  'mlflow.spanInputs',
  'gen_ai.input.messages',
  'pydantic_ai.all_messages',
  'traceloop.entity.input',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.llm_request',
  'events.gen_ai.user.message',
  'llm.input_messages',
  'ai.toolCall.args',
  'ai.value',
  'ai.values',
  'gen_ai.tool.call.arguments',
  'events.gen_ai.content.prompt',
  'input',
  'inputs',
] as const;

export const OUTPUT_KEYS = [
  'ai.response',
  'gen_ai.completion',
  'output.value',
  'gen_ai.output.messages',
  'mlflow.spanOutputs',
  'final_result',
  'gen_ai.content.completion',
  'traceloop.entity.output',
  'gcp.vertex.agent.tool_response',
  'gcp.vertex.agent.llm_response',
  'events.gen_ai.choice',
  'llm.output_messages',
  'ai.toolCall.result',
  'ai.embedding',
  'ai.embeddings',
  'gen_ai.tool.call.result',
  'events.gen_ai.content.completion',
  'output',
  'outputs',
] as const;

export const TOKEN_KEYS = {
  prompt_tokens: ['gen_ai.usage.prompt_tokens', 'llm.token_count.prompt', 'ai.usage.promptTokens'],
  completion_tokens: ['gen_ai.usage.completion_tokens', 'llm.token_count.completion', 'ai.usage.completionTokens'],
  input_tokens: ['gen_ai.usage.input_tokens', 'ai.usage.inputTokens', 'ai.usage.tokens'],
  output_tokens: ['gen_ai.usage.output_tokens', 'ai.usage.outputTokens'],
  cache_read_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
  ],
  cache_write_tokens: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
  ],
  reasoning_tokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
  ],
  total_tokens: [
    'llm.usage.total_tokens',
    'llm.token_count.total',
    'gen_ai.usage.total_tokens',
    'ai.usage.totalTokens',
  ],
} as const;

export const ATTRIBUTE_KEYS = {
  system: ['gen_ai.system', 'llm.system', 'gen_ai.system_instructions', 'system_prompt'],
  kind: [...inBothSpellings('svc.span.kind'), 'traceloop.span.kind', 'openinference.span.kind', 'mlflow.spanType'],
  model: ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id', 'embedding.model_name'],
  provider: ['llm.provider', 'ai.model.provider', 'gen_ai.provider.name'],
  model_parameters: ['gen_ai.request', 'llm.invocation_parameters'],
  agent: ['gen_ai.agent.name'],
  tools: ['gen_ai.agent.tools', 'gen_ai.tool.definitions'],
  operation: ['gen_ai.operation.name'],
} as const;

/** A name of ours with the vendor's: clients of either may send to this service. */
function inBothSpellings(name: keyof typeof W.spanAttributes): readonly [string, string] {
  return [name, W.spanAttributes[name]];
}

export const SERVICE_KEYS = {
  entity: inBothSpellings('svc.entity'),
  project: inBothSpellings('svc.project'),
  runId: inBothSpellings('svc.run_id'),
  runStep: inBothSpellings('svc.run_step'),
  runStepEnd: inBothSpellings('svc.run_step_end'),
  displayName: inBothSpellings('svc.display_name'),
  threadId: inBothSpellings('svc.thread_id'),
  isTurn: inBothSpellings('svc.is_turn'),
  attributes: inBothSpellings('svc.attributes'),
};

/** An agent framework whose sessions are threads and whose spans with a session are turns. */
export const SESSION_KEY = 'gcp.vertex.agent.session_id';

/** Conversations of other conventions, where only the outermost span is a turn. */
export const CONVERSATION_KEYS = ['gen_ai.conversation.id', 'session.id'] as const;

export const START_TIME_KEY = 'langfuse.startTime';
export const END_TIME_KEY = 'langfuse.endTime';

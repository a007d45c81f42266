const MESSAGES = [{ role: 'user', parts: [{ type: 'text', content: 'What is a spoor?' }] }];
const ANSWER = [{ role: 'assistant', parts: [{ type: 'text', content: 'A track.' }], finish_reason: 'stop' }];

/** What each convention writes on a span of a model call, and the fields of the call it becomes. */
export const CONVENTIONS = {
  genAi: {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-x',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.response.model': 'gpt-x-2026',
      'gen_ai.input.messages': JSON.stringify(MESSAGES),
      'gen_ai.output.messages': JSON.stringify(ANSWER),
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 4,
    },
    call: {
      inputs: { 'gen_ai.input.messages': MESSAGES },
      output: { 'gen_ai.output.messages': ANSWER },
      summary: { usage: { 'gpt-x-2026': { input_tokens: 10, output_tokens: 4, total_tokens: 14 } } },
      attributes: {
        model: 'gpt-x-2026',
        operation: 'chat',
        provider: 'openai',
        model_parameters: { model: 'gpt-x', temperature: 0.5 },
      },
    },
  },
  openInference: {
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-x',
      'llm.provider': 'azure',
      'llm.invocation_parameters': '{"top_p":0.9}',
      'input.value': '{"messages":[{"role":"user","content":"hi"}]}',
      'input.mime_type': 'application/json',
      'output.value': 'hello',
      'llm.token_count.prompt': 7,
      'llm.token_count.completion': 2,
      'llm.token_count.total': 9,
    },
    call: {
      inputs: { 'input.value': { messages: [{ role: 'user', content: 'hi' }] } },
      output: { 'output.value': 'hello' },
      summary: { usage: { 'gpt-x': { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } } },
      attributes: { kind: 'LLM', model: 'gpt-x', provider: 'azure', model_parameters: { top_p: 0.9 } },
    },
  },
  traceloop: {
    attributes: {
      'traceloop.span.kind': 'task',
      'traceloop.entity.name': 'translate',
      'traceloop.entity.input': '{"inputs":{"text":"hi"}}',
      'traceloop.entity.output': '{"outputs":"salut"}',
    },
    call: {
      inputs: { 'traceloop.entity.input': { inputs: { text: 'hi' } } },
      output: { 'traceloop.entity.output': { outputs: 'salut' } },
      summary: {},
      attributes: { kind: 'task' },
    },
  },
  openLlmetry: {
    attributes: {
      'gen_ai.system': 'OpenAI',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'Be brief.',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': 'hi',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': 'hello',
      'gen_ai.response.model': 'gpt-x',
      'gen_ai.usage.prompt_tokens': 12,
      'gen_ai.usage.completion_tokens': 3,
      'llm.usage.total_tokens': 15,
    },
    call: {
      inputs: {
        'gen_ai.prompt': [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hi' },
        ],
      },
      output: { 'gen_ai.completion': [{ role: 'assistant', content: 'hello' }] },
      summary: { usage: { 'gpt-x': { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } } },
      attributes: { system: 'OpenAI', model: 'gpt-x' },
    },
  },
  aiSdk: {
    attributes: {
      'ai.operationId': 'ai.generateText',
      'ai.model.id': 'gpt-x',
      'ai.model.provider': 'openai.chat',
      'ai.prompt': '{"prompt":"hi"}',
      'ai.response.text': 'hello',
      'ai.response.finishReason': 'stop',
      'ai.usage.promptTokens': 5,
      'ai.usage.completionTokens': 1,
    },
    call: {
      inputs: { 'ai.prompt': { prompt: 'hi' } },
      output: { 'ai.response': { text: 'hello', finishReason: 'stop' } },
      summary: { usage: { 'gpt-x': { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 } } },
      attributes: { model: 'gpt-x', provider: 'openai.chat' },
    },
  },
  mlflow: {
    attributes: {
      'mlflow.spanType': '"RETRIEVER"',
      'mlflow.spanInputs': '{"query":"spoor"}',
      'mlflow.spanOutputs': '[{"page_content":"A track."}]',
    },
    call: {
      inputs: { 'mlflow.spanInputs': { query: 'spoor' } },
      output: { 'mlflow.spanOutputs': [{ page_content: 'A track.' }] },
      summary: {},
      attributes: { kind: '"RETRIEVER"' },
    },
  },
} as const;

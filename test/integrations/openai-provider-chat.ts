import { type Answer, beginEvents, type Exchange, sendJson } from './provider.ts';

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly n?: number;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly unknown[];
  readonly response_format?: { readonly type: string };
}

/** What the model says, as the whole and as the pieces of a stream. */
interface Choice {
  readonly message: Record<string, unknown>;
  readonly deltas: readonly Record<string, unknown>[];
  readonly finishReason: string;
}

const USAGE = {
  prompt_tokens: 30,
  completion_tokens: 12,
  total_tokens: 42,
  prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 0 },
};

/** Two calls whose arguments come in turns. */
const TOOLS: Choice = {
  message: {
    content: null,
    refusal: null,
    tool_calls: [toolCall(0, '{"city":"Oslo"}'), toolCall(1, '{"city":"Bergen"}')],
  },
  deltas: [
    { tool_calls: [{ index: 0, ...toolCall(0, '') }] },
    { tool_calls: [{ index: 1, ...toolCall(1, '') }] },
    { tool_calls: [fragment(0, '{"city"')] },
    { tool_calls: [fragment(1, '{"ci'), fragment(0, ':"Os')] },
    { tool_calls: [fragment(0, 'lo"}')] },
    { tool_calls: [fragment(1, 'ty":"Bergen"}')] },
  ],
  finishReason: 'tool_calls',
};

const LOGPROBS = { content: [{ token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] }], refusal: null };

function toolCall(index: number, args: string) {
  return { id: `call_${index}`, type: 'function', function: { name: 'weather', arguments: args } };
}

function fragment(index: number, args: string) {
  return { index, function: { arguments: args } };
}

function text(content: string): Choice {
  const deltas = (content.match(/\s*\S+/g) ?? []).map((piece) => ({ content: piece }));
  return { message: { content, refusal: null, annotations: [] }, deltas, finishReason: 'stop' };
}

function choiceOf({ model, messages, tools, response_format: format }: ChatRequest, index: number): Choice {
  if (model === 'refusing') {
    const refusal = 'I cannot help with that';
    const deltas = [{ refusal: 'I cannot ' }, { refusal: 'help with that' }];
    return { message: { content: null, refusal }, deltas, finishReason: 'stop' };
  }
  if (model === 'thinking') {
    const message = { content: 'Four', refusal: null, reasoning_content: 'Two and two' };
    return {
      message,
      deltas: [{ reasoning_content: 'Two ' }, { reasoning_content: 'and two' }, { content: 'Four' }],
      finishReason: 'stop',
    };
  }
  if (format?.type === 'json_schema') return text('{"answer":42}');
  if (tools !== undefined && !messages.some(({ role }) => role === 'tool')) return TOOLS;
  return text(index === 0 ? 'Hi there, tracker' : `Hi number ${index}`);
}

export const chatAnswer: Answer = (exchange) => {
  const chat = exchange.request.body as ChatRequest;
  const choices = Array.from({ length: chat.n ?? 1 }, (_, index) => choiceOf(chat, index));
  if (chat.stream === true) sendChunks(exchange, chat, choices);
  else {
    sendJson(exchange.response, {
      ...envelope(chat, 'chat.completion'),
      choices: choices.map(({ message, finishReason }, index) => ({
        index,
        message: { role: 'assistant', ...message },
        logprobs: LOGPROBS,
        finish_reason: finishReason,
      })),
      usage: USAGE,
      service_tier: 'default',
    });
  }
};

function sendChunks({ response }: Exchange, chat: ChatRequest, choices: readonly Choice[]): void {
  const hasUsage = chat.stream_options?.include_usage === true;
  const sendEvent = beginEvents(response);
  const send = (choice: unknown) => {
    const common = { ...envelope(chat, 'chat.completion.chunk'), service_tier: 'default' };
    sendEvent({ ...common, choices: [choice], ...(hasUsage && { usage: null }) });
  };
  const each = (delta: (choice: Choice, index: number) => Record<string, unknown> | undefined) => {
    for (const [index, choice] of choices.entries()) {
      const piece = delta(choice, index);
      if (piece !== undefined)
        send({ index, delta: piece, logprobs: index === 0 ? LOGPROBS : null, finish_reason: null });
    }
  };
  each(() => ({ role: 'assistant', content: '', refusal: null }));
  const longest = Math.max(...choices.map(({ deltas }) => deltas.length));
  // Pieces of several choices come in turns.
  for (let at = 0; at < longest; at++) each(({ deltas }) => deltas[at]);
  if (chat.model === 'endless') return;
  if (chat.model === 'torn') return void setImmediate(() => response.destroy());
  if (chat.model === 'failing')
    sendEvent({ error: { message: 'The model broke', type: 'server_error', code: 'oops' } });
  for (const [index, { finishReason }] of choices.entries()) {
    send({ index, delta: {}, logprobs: null, finish_reason: finishReason });
  }
  if (hasUsage)
    sendEvent({ ...envelope(chat, 'chat.completion.chunk'), service_tier: 'default', choices: [], usage: USAGE });
  sendEvent('[DONE]');
  response.end();
}

function envelope({ model }: ChatRequest, object: string) {
  return {
    id: 'chatcmpl-1',
    object,
    created: 1_700_000_000,
    model: `${model}-0613`,
    system_fingerprint: 'fp_1',
  };
}

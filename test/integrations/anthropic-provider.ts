import { type Answer, beginEvents, type Provider, sendJson, startProvider } from './provider.ts';

interface MessagesRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages: readonly { readonly content: unknown }[];
}

const USAGE = {
  input_tokens: 20,
  cache_creation_input_tokens: 4,
  cache_read_input_tokens: 16,
  cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 0 },
  output_tokens: 25,
  output_tokens_details: { thinking_tokens: 10 },
  service_tier: 'standard',
};

const CITATION = {
  type: 'char_location',
  cited_text: 'snow',
  document_index: 0,
  start_char_index: 0,
  end_char_index: 4,
};

export const CONTENT = [
  { type: 'thinking', thinking: 'Look down', signature: 'c2lnbmVk' },
  { type: 'redacted_thinking', data: 'aGlkZGVu' },
  { type: 'text', text: 'Fresh tracks', citations: [CITATION] },
];

const TOOLS = [
  { type: 'text', text: 'Let me see', citations: null },
  { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
  { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Bergen' } },
];

/** Speaks the interface of Anthropic, as far as the `@anthropic-ai/sdk` package uses it. */
export function startAnthropic(): Promise<Provider> {
  return startProvider({ '/v1/messages': messagesAnswer });
}

const messagesAnswer: Answer = ({ request, attempt, response }) => {
  const asked = request.body as MessagesRequest;
  const status = Number(
    /^status-(\d+)$/.exec(asked.model)?.[1] ?? (asked.model === 'twice-529' && attempt < 2 ? 529 : 200),
  );
  if (status !== 200) {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1', 'request-id': 'req_1' });
    const error = { type: 'overloaded_error', message: `This is a ${status}` };
    response.end(JSON.stringify({ type: 'error', error }));
    return;
  }
  if (asked.stream !== true) return sendJson(response, message(asked));
  const send = beginEvents(response, { isNamed: true });
  for (const event of eventsOf(asked)) send(event);
  if (asked.model !== 'endless') response.end();
};

function message(asked: MessagesRequest) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: `${asked.model}-20250514`,
    content: contentOf(asked),
    stop_reason: contentOf(asked) === TOOLS ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  };
}

function contentOf({ tools, messages }: MessagesRequest): typeof CONTENT | typeof TOOLS {
  const hasResult = JSON.stringify(messages).includes('tool_result');
  return tools === undefined || hasResult ? CONTENT : TOOLS;
}

function eventsOf(asked: MessagesRequest): object[] {
  const { stop_reason: reason, ...rest } = message(asked);
  const begun = { ...rest, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } };
  const blocks = contentOf(asked).flatMap(blockEvents);
  const start = [{ type: 'message_start', message: begun }, { type: 'ping' }];
  if (asked.model === 'endless') return [...start, ...blocks.slice(0, -2)];
  if (asked.model === 'failing') {
    const error = { type: 'overloaded_error', message: 'The model broke' };
    return [...start, ...blocks.slice(0, 3), { type: 'error', error }];
  }
  const usage = { output_tokens: 25, output_tokens_details: USAGE.output_tokens_details, input_tokens: null };
  const end = { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage };
  return [...start, ...blocks, end, { type: 'message_stop' }];
}

function blockEvents(block: Record<string, unknown>, index: number): object[] {
  const delta = (piece: object) => ({ type: 'content_block_delta', index, delta: piece });
  const around = (empty: object, ...pieces: object[]) => [
    { type: 'content_block_start', index, content_block: { ...block, ...empty } },
    ...pieces.map(delta),
    { type: 'content_block_stop', index },
  ];
  const halves = (text: unknown) => [String(text).slice(0, 5), String(text).slice(5)];
  if (block['type'] === 'text') {
    const citations = Array.isArray(block['citations']) ? [{ type: 'citations_delta', citation: CITATION }] : [];
    const pieces = halves(block['text']).map((text) => ({ type: 'text_delta', text }));
    return around({ text: '', citations: citations.length > 0 ? [] : null }, ...pieces, ...citations);
  }
  if (block['type'] === 'thinking') {
    const pieces = halves(block['thinking']).map((thinking) => ({ type: 'thinking_delta', thinking }));
    return around({ thinking: '', signature: '' }, ...pieces, {
      type: 'signature_delta',
      signature: block['signature'],
    });
  }
  if (block['type'] === 'tool_use') {
    const json = ['', ...halves(JSON.stringify(block['input']))];
    return around({ input: {} }, ...json.map((text) => ({ type: 'input_json_delta', partial_json: text })));
  }
  return around({});
}

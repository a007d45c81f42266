import { type Answer, beginEvents, sendJson } from './provider.ts';

interface ResponsesRequest {
  readonly model: string;
  readonly stream?: boolean;
}

type Event = Record<string, unknown> & { readonly type: string };

const USAGE = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 16, cache_write_tokens: 4 },
  output_tokens: 25,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 65,
};

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Fresh tracks', annotations: [], logprobs: [] }],
};

const REASONING = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Look down' }],
  content: [{ type: 'reasoning_text', text: 'Snow melts' }],
};

const FUNCTION = {
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: 'weather',
  arguments: '{"city":"Oslo"}',
};

export const OUTPUT = [REASONING, MESSAGE, FUNCTION];

export const compactedAnswer: Answer = ({ response }) =>
  sendJson(response, { id: 'resp_2', object: 'response.compaction', created_at: 1, output: OUTPUT, usage: USAGE });

export const responsesAnswer: Answer = ({ request, response }) => {
  const asked = request.body as ResponsesRequest;
  if (asked.stream !== true) return sendJson(response, asked.model === 'failing' ? failed(asked) : completed(asked));
  const send = beginEvents(response, { isNamed: true });
  const events = eventsOf(asked);
  for (const [index, event] of events.entries()) send({ ...event, sequence_number: index });
  if (asked.model !== 'endless') response.end();
};

function eventsOf(asked: ResponsesRequest): Event[] {
  const begun: Event[] = [
    { type: 'response.created', response: inProgress(asked, 'in_progress') },
    { type: 'response.in_progress', response: inProgress(asked, 'in_progress') },
  ];
  if (asked.model === 'failing') return [...begun, { type: 'response.failed', response: failed(asked) }];
  if (asked.model === 'broken')
    return [...begun, { type: 'error', code: 'server_error', message: 'It broke', param: null }];
  if (asked.model === 'every-event') return everyEvent(asked);
  const events = [...begun, ...reasoningEvents(), ...messageEvents(), ...functionEvents()];
  if (asked.model === 'endless') return events.slice(0, -3);
  if (asked.model === 'short') return [...events, { type: 'response.incomplete', response: incomplete(asked) }];
  return [...events, { type: 'response.completed', response: completed(asked) }];
}

function reasoningEvents(): Event[] {
  const at = { item_id: 'rs_1', output_index: 0 };
  const summary = { ...at, summary_index: 0 };
  const content = { ...at, content_index: 0 };
  const item = { id: 'rs_1', type: 'reasoning', summary: [], content: [] };
  return [
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.reasoning_summary_part.added', ...summary, part: { type: 'summary_text', text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...summary, delta: 'Look ' },
    { type: 'response.reasoning_summary_text.delta', ...summary, delta: 'down' },
    { type: 'response.reasoning_summary_text.done', ...summary, text: 'Look down' },
    { type: 'response.reasoning_summary_part.done', ...summary, part: { type: 'summary_text', text: 'Look down' } },
    { type: 'response.content_part.added', ...content, part: { type: 'reasoning_text', text: '' } },
    { type: 'response.reasoning_text.delta', ...content, delta: 'Snow melts' },
    { type: 'response.reasoning_text.done', ...content, text: 'Snow melts' },
    { type: 'response.content_part.done', ...content, part: { type: 'reasoning_text', text: 'Snow melts' } },
    { type: 'response.output_item.done', output_index: 0, item: REASONING },
  ];
}

function messageEvents(): Event[] {
  const at = { item_id: 'msg_1', output_index: 1, content_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  return [
    { type: 'response.output_item.added', output_index: 1, item: { ...MESSAGE, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part },
    { type: 'response.output_text.delta', ...at, delta: 'Fresh ', logprobs: [] },
    { type: 'response.output_text.delta', ...at, delta: 'tracks', logprobs: [] },
    { type: 'response.output_text.done', ...at, text: 'Fresh tracks', logprobs: [] },
    { type: 'response.content_part.done', ...at, part: MESSAGE.content[0] },
    { type: 'response.output_item.done', output_index: 1, item: MESSAGE },
  ];
}

function functionEvents(): Event[] {
  const at = { item_id: 'fc_1', output_index: 2 };
  const item = { ...FUNCTION, status: 'in_progress', arguments: '' };
  return [
    { type: 'response.output_item.added', output_index: 2, item },
    { type: 'response.function_call_arguments.delta', ...at, delta: '{"city":' },
    { type: 'response.function_call_arguments.delta', ...at, delta: '"Oslo"}' },
    { type: 'response.function_call_arguments.done', ...at, name: 'weather', arguments: FUNCTION.arguments },
    { type: 'response.output_item.done', output_index: 2, item: FUNCTION },
  ];
}

/** One of each kind at least, most of them of items that are not in the output: none may disturb it. */
export function everyEvent(asked: ResponsesRequest): Event[] {
  const of = (index: number) => ({ item_id: `item_${index}`, output_index: index });
  const added = (index: number, item: Record<string, unknown>): Event => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { id: `item_${index}`, ...item },
  });
  const steps = (index: number, kind: string, names: readonly string[]): Event[] =>
    names.map((name) => ({ type: `response.${kind}.${name}`, ...of(index) }));
  const refusal = { ...of(7), content_index: 0 };
  const annotated = { item_id: 'msg_1', output_index: 1, content_index: 0, annotation_index: 0 };
  return [
    { type: 'response.queued', response: inProgress(asked, 'queued') },
    { type: 'response.created', response: inProgress(asked, 'in_progress') },
    { type: 'response.in_progress', response: inProgress(asked, 'in_progress') },
    ...reasoningEvents(),
    ...messageEvents(),
    {
      type: 'response.output_text.annotation.added',
      ...annotated,
      annotation: { type: 'url_citation', url: 'https://a.example' },
    },
    ...functionEvents(),
    { type: 'response.audio.delta', delta: 'AAEC' },
    { type: 'response.audio.done' },
    { type: 'response.audio.transcript.delta', delta: 'Hm' },
    { type: 'response.audio.transcript.done' },
    added(3, { type: 'code_interpreter_call', code: '' }),
    ...steps(3, 'code_interpreter_call', ['in_progress', 'interpreting']),
    { type: 'response.code_interpreter_call_code.delta', ...of(3), delta: 'print(' },
    { type: 'response.code_interpreter_call_code.delta', ...of(3), delta: '1)' },
    { type: 'response.code_interpreter_call_code.done', ...of(3), code: 'print(1)' },
    ...steps(3, 'code_interpreter_call', ['completed']),
    added(4, { type: 'file_search_call', queries: [] }),
    ...steps(4, 'file_search_call', ['in_progress', 'searching', 'completed']),
    added(5, { type: 'web_search_call' }),
    ...steps(5, 'web_search_call', ['in_progress', 'searching', 'completed']),
    added(6, { type: 'image_generation_call' }),
    ...steps(6, 'image_generation_call', ['in_progress', 'generating']),
    {
      type: 'response.image_generation_call.partial_image',
      ...of(6),
      partial_image_b64: 'aW0=',
      partial_image_index: 0,
    },
    ...steps(6, 'image_generation_call', ['completed']),
    added(7, { type: 'message', role: 'assistant', content: [] }),
    { type: 'response.content_part.added', ...refusal, part: { type: 'refusal', refusal: '' } },
    { type: 'response.refusal.delta', ...refusal, delta: 'No' },
    { type: 'response.refusal.done', ...refusal, refusal: 'No' },
    added(8, { type: 'mcp_call', arguments: '' }),
    ...steps(8, 'mcp_call', ['in_progress']),
    { type: 'response.mcp_call_arguments.delta', ...of(8), delta: '{}' },
    { type: 'response.mcp_call_arguments.done', ...of(8), arguments: '{}' },
    ...steps(8, 'mcp_call', ['completed', 'failed']),
    added(9, { type: 'mcp_list_tools', tools: [] }),
    ...steps(9, 'mcp_list_tools', ['in_progress', 'completed', 'failed']),
    added(10, { type: 'custom_tool_call', input: '' }),
    { type: 'response.custom_tool_call_input.delta', ...of(10), delta: 'go' },
    { type: 'response.custom_tool_call_input.done', ...of(10), input: 'go' },
    { type: 'response.failed', response: inProgress(asked, 'in_progress') },
    { type: 'response.incomplete', response: incomplete(asked) },
    { type: 'error', code: null, message: 'A warning', param: null },
    { type: 'response.completed', response: completed(asked) },
  ];
}

function envelope({ model }: ResponsesRequest) {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    model: `${model}-0613`,
    parallel_tool_calls: true,
  };
}

function inProgress(asked: ResponsesRequest, status: string) {
  return { ...envelope(asked), status, error: null, output: [], usage: null };
}

function completed(asked: ResponsesRequest) {
  return { ...envelope(asked), status: 'completed', error: null, output: OUTPUT, usage: USAGE };
}

function incomplete(asked: ResponsesRequest) {
  const details = { incomplete_details: { reason: 'max_output_tokens' } };
  return {
    ...envelope(asked),
    ...details,
    status: 'incomplete',
    error: null,
    output: OUTPUT.slice(0, 2),
    usage: USAGE,
  };
}

function failed(asked: ResponsesRequest) {
  const error = { code: 'server_error', message: 'The model broke' };
  return { ...envelope(asked), status: 'failed', error, output: [], usage: null };
}

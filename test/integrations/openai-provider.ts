import type { ServerResponse } from 'node:http';
import { chatAnswer } from './openai-provider-chat.ts';
import { compactedAnswer, responsesAnswer } from './openai-provider-responses.ts';
import {
  type Answer,
  beginEvents,
  type Exchange,
  type Provider,
  sendError,
  sendJson,
  startProvider,
} from './provider.ts';

/** Begins a model's name that makes the service answer otherwise than usual. */
const FAILURES: Readonly<Record<string, (exchange: Exchange) => boolean>> = {
  'status-400': ({ response }) => fail(response, 400),
  'status-404': ({ response }) => fail(response, 404),
  'status-429': ({ response }) => fail(response, 429),
  'status-500': ({ response }) => fail(response, 500),
  'twice-500': ({ response, attempt }) => attempt < 2 && fail(response, 500),
  'no-such-member': (exchange) => isAsked(exchange) && fail(exchange.response, 422, 'Extra inputs are not permitted'),
  'no-such-name': (exchange) => isAsked(exchange) && fail(exchange.response, 400, 'Bad member: stream_options'),
  'no-such-param': (exchange) => isAsked(exchange) && refuse(exchange, { message: 'No', param: 'stream_options' }),
  'no-other-param': (exchange) => refuse(exchange, { message: 'Unknown parameter', param: 'foxes' }),
  'no-such-detail': (exchange) => isAsked(exchange) && refuse(exchange, undefined),
  'once-429': ({ response, attempt }) => attempt < 1 && fail(response, 429, 'Wait a moment', { 'retry-after': '0' }),
  // Never answers.
  silent: () => true,
  reset: ({ response }) => {
    response.destroy();
    return true;
  },
};

/** Speaks the interface of OpenAI, as far as the `openai` package uses it. The model that answers is `<model>-0613`. */
export function startOpenAI(): Promise<Provider> {
  const answers: Record<string, Answer> = {
    '/v1/chat/completions': chatAnswer,
    '/v1/responses': responsesAnswer,
    '/v1/responses/compact': compactedAnswer,
    '/v1/completions': completionsAnswer,
    '/v1/embeddings': embeddingsAnswer,
    '/v1/images/generations': imagesAnswer,
    '/v1/images/edits': ({ response }) => sendJson(response, IMAGES),
    '/v1/images/variations': ({ response }) => sendJson(response, IMAGES),
    '/v1/audio/speech': speechAnswer,
    '/v1/audio/transcriptions': transcriptionsAnswer,
    '/v1/audio/translations': ({ response }) => sendJson(response, { text: 'Good morning' }),
    '/v1/moderations': ({ response }) => sendJson(response, { id: 'modr_1', model: 'omni-0613', results: [] }),
  };
  return startProvider(Object.fromEntries(Object.entries(answers).map(([path, answer]) => [path, orFailure(answer)])));
}

function orFailure(answer: Answer): Answer {
  return (exchange) => {
    const { model = '' } = exchange.request.body as { readonly model?: string };
    if (FAILURES[model]?.(exchange) !== true) answer(exchange);
  };
}

function fail(response: ServerResponse, status: number, message = `This is a ${status}`, headers = {}): boolean {
  sendError(response, status, message, { 'retry-after-ms': '1', ...headers });
  return true;
}

function isAsked({ request }: Exchange): boolean {
  return (request.body as { stream_options?: unknown }).stream_options !== undefined;
}

/** Without `error`, as services answer that have another form for what is wrong; the library keeps nothing of it. */
function refuse({ response }: Exchange, error: object | undefined): boolean {
  response.writeHead(422, { 'content-type': 'application/json' });
  response.end(JSON.stringify(error === undefined ? { detail: [{ loc: ['body', 'stream_options'] }] } : { error }));
  return true;
}

const TOKENS = { prompt_tokens: 6, completion_tokens: 2, total_tokens: 8 };

const completionsAnswer: Answer = ({ request, response }) => {
  const {
    model,
    stream,
    stream_options: options,
  } = request.body as {
    readonly model: string;
    readonly stream?: boolean;
    readonly stream_options?: { readonly include_usage?: boolean };
  };
  const envelope = { id: 'cmpl-1', object: 'text_completion', created: 1_700_000_000, model: `${model}-0613` };
  if (stream !== true) {
    const choice = { text: ' tracks', index: 0, logprobs: null, finish_reason: 'stop' };
    sendJson(response, { ...envelope, choices: [choice], usage: TOKENS });
    return;
  }
  const empty = options?.include_usage === true ? { usage: null } : {};
  const send = beginEvents(response);
  send({ ...envelope, choices: [{ text: ' tra', index: 0, logprobs: null, finish_reason: null }], ...empty });
  send({ ...envelope, choices: [{ text: 'cks', index: 0, logprobs: null, finish_reason: 'stop' }], ...empty });
  if (options?.include_usage === true) send({ ...envelope, choices: [], usage: TOKENS });
  send('[DONE]');
  response.end();
};

const embeddingsAnswer: Answer = ({ request, response }) => {
  const { model, encoding_format: format } = request.body as { model: string; encoding_format?: string };
  const numbers = [0.5, -0.25, 1];
  const embedding = format === 'base64' ? Buffer.from(new Float32Array(numbers).buffer).toString('base64') : numbers;
  const data = [{ object: 'embedding', index: 0, embedding }];
  sendJson(response, { object: 'list', data, model: `${model}-0613`, usage: { prompt_tokens: 5, total_tokens: 5 } });
};

const IMAGES = {
  created: 1_700_000_000,
  data: [{ b64_json: 'aW1hZ2U=' }],
  usage: {
    input_tokens: 7,
    output_tokens: 20,
    total_tokens: 27,
    input_tokens_details: { text_tokens: 7, image_tokens: 0 },
  },
};

const imagesAnswer: Answer = ({ request, response }) => {
  if ((request.body as { stream?: boolean }).stream !== true) return sendJson(response, IMAGES);
  const send = beginEvents(response, { isNamed: true });
  const about = {
    created_at: 1_700_000_000,
    size: '1024x1024',
    quality: 'low',
    background: 'auto',
    output_format: 'png',
  };
  send({ type: 'image_generation.partial_image', b64_json: 'aW0=', partial_image_index: 0, ...about });
  send({ type: 'image_generation.completed', b64_json: 'aW1hZ2U=', usage: IMAGES.usage, ...about });
  response.end();
};

const speechAnswer: Answer = ({ response }) => {
  response.writeHead(200, { 'content-type': 'audio/mpeg' });
  response.end(Buffer.from([1, 2, 3, 4]));
};

/** The request is a form; a stream is asked for in it. */
const transcriptionsAnswer: Answer = ({ request, response }) => {
  const usage = { type: 'tokens', input_tokens: 14, output_tokens: 3, total_tokens: 17 };
  if (request.headers['x-test-stream'] === undefined) return sendJson(response, { text: 'Good morning', usage });
  const send = beginEvents(response, { isNamed: true });
  send({ type: 'transcript.text.delta', delta: 'Good ' });
  send({ type: 'transcript.text.delta', delta: 'morning' });
  send({ type: 'transcript.text.done', text: 'Good morning', usage });
  response.end();
};

import type { ServerResponse } from 'node:http';
import { type Answer, beginEvents, type Exchange, type Provider, sendJson, startProvider } from './provider.ts';

interface ContentRequest {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly object[] }[];
  readonly tools?: readonly unknown[];
  readonly generationConfig?: { readonly candidateCount?: number };
}

export const USAGE = {
  promptTokenCount: 30,
  cachedContentTokenCount: 16,
  candidatesTokenCount: 12,
  thoughtsTokenCount: 10,
  toolUsePromptTokenCount: 4,
  totalTokenCount: 56,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 30 }],
  cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 16 }],
};

const THOUGHT = { text: 'Look down', thought: true };
const ANSWER = { text: 'Fresh tracks in the snow' };
const SIGNED = { text: 'North', thoughtSignature: 'c2lnbmVk' };
export const PARTS = [THOUGHT, ANSWER, SIGNED];

export const TOOL_PARTS = [
  { text: 'Let me see' },
  { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2lnbmVk' },
  { functionCall: { id: 'call_2', name: 'weather', args: { city: 'Bergen' } } },
];

/** One of each kind that a model may answer. */
export const EVERY_PART = [
  ...PARTS,
  ...TOOL_PARTS,
  { executableCode: { id: 'code_1', language: 'PYTHON', code: 'print(1)' } },
  { codeExecutionResult: { id: 'code_1', outcome: 'OUTCOME_OK', output: '1' } },
  { inlineData: { mimeType: 'image/png', data: 'aW1hZ2U=' }, mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } },
  { fileData: { mimeType: 'video/mp4', fileUri: 'https://files.example/1' }, videoMetadata: { fps: 1 } },
  { functionResponse: { id: 'call_0', name: 'weather', response: { output: 'snow' } } },
  { toolCall: { id: 'tool_1', toolType: 'GOOGLE_SEARCH_WEB', args: { query: 'fox' } } },
  { toolResponse: { id: 'tool_1', toolType: 'GOOGLE_SEARCH_WEB', response: { found: 1 } } },
  { audioTranscription: { text: 'Good morning' } },
  { text: 'said', speechMetadata: { speaker: 'Ada' }, partMetadata: { source: 'den' }, mediaProcessing: {} },
];

/** Arguments that come in parts, as they do on Vertex. */
const ARGUMENT_PARTS = [
  { functionCall: { id: 'call_1', name: 'weather', willContinue: true } },
  {
    functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'Os', willContinue: true }], willContinue: true },
  },
  { functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'lo' }], willContinue: true } },
  { functionCall: { partialArgs: [{ jsonPath: '$.days', numberValue: 3 }], willContinue: true } },
  { functionCall: {} },
];

/** Speaks the interface of Gemini, as far as the `@google/genai` package uses it. */
export function startGoogle(): Promise<Provider> {
  return startProvider((path) => ANSWERS[path.split(':').at(-1) ?? '']);
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  generateContent: refusing(({ request, response }, model) => {
    const asked = request.body as ContentRequest;
    const count = asked.generationConfig?.candidateCount ?? 1;
    sendJson(response, contentOf(model, candidates(count, partsOf(model, asked), last())));
  }),
  streamGenerateContent: refusing(streamContent),
  batchEmbedContents: refusing(({ response }) => {
    sendJson(response, { embeddings: [{ values: [0.5, -0.25, 1] }, { values: [1, 0, 0] }] });
  }),
  // Of Vertex, which tells the tokens of an embedding.
  predict: refusing(({ response }, model) => {
    const embeddings = { values: [0.5, -0.25], statistics: { token_count: 5, truncated: false } };
    const image = { bytesBase64Encoded: 'aW1hZ2U=', mimeType: 'image/png', prompt: 'A fox in snow' };
    sendJson(response, { predictions: [model === 'painter' ? image : { embeddings }] });
  }),
  countTokens: refusing(({ response }) => sendJson(response, { totalTokens: 31, cachedContentTokenCount: 16 })),
};

type ModelAnswer = (exchange: Exchange, model: string) => void;

function refusing(answer: ModelAnswer): Answer {
  return (exchange) => {
    const { request, attempt, response } = exchange;
    const model = /models\/([^:]*):/.exec(request.path)?.[1] ?? '';
    const status = Number(/^status-(\d+)$/.exec(model)?.[1] ?? (model === 'once-503' && attempt < 1 ? 503 : 200));
    if (status === 200) return answer(exchange, model);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(errorOf(status)));
  };
}

function errorOf(code: number) {
  return { error: { code, message: `This is a ${code}`, status: code === 400 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE' } };
}

function streamContent({ request, response }: Exchange, model: string): void {
  const asked = request.body as ContentRequest;
  const send = beginEvents(response);
  const pieces = partsOf(model, asked).flatMap(inPieces);
  const count = asked.generationConfig?.candidateCount ?? 1;
  for (const piece of pieces) send(contentOf(model, candidates(count, [piece]), { promptTokenCount: 30 }));
  if (model === 'endless') return;
  if (model === 'torn') return tear(response);
  if (model === 'failing') send(errorOf(503));
  else send(contentOf(model, candidates(count, [{ text: '' }], last())));
  response.end();
}

/** When what was sent is on its way. */
function tear(response: ServerResponse): void {
  response.write('\n', () => response.destroy());
}

function contentOf(model: string, found: readonly object[], usageMetadata: object = USAGE) {
  const response = { modelVersion: `${model}-001`, responseId: 'resp_1', usageMetadata };
  if (model !== 'blocked') return { candidates: found, ...response };
  return { promptFeedback: { blockReason: 'SAFETY' }, ...response };
}

function candidates(count: number, parts: readonly object[], rest: object = {}): object[] {
  return Array.from({ length: count }, (_, index) => ({ content: { role: 'model', parts }, index, ...rest }));
}

function last() {
  return {
    finishReason: 'STOP',
    safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
    citationMetadata: { citationSources: [{ startIndex: 0, endIndex: 5, uri: 'https://a.example' }] },
    groundingMetadata: { webSearchQueries: ['fox tracks'] },
    avgLogprobs: -0.5,
    logprobsResult: { chosenCandidates: [{ token: 'Fresh', logProbability: -0.1 }] },
    urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'https://a.example' }] },
    tokenCount: 12,
  };
}

function partsOf(model: string, { contents, tools }: ContentRequest): readonly object[] {
  if (model === 'parts') return EVERY_PART;
  if (model === 'arguments') return ARGUMENT_PARTS;
  const hasResult = JSON.stringify(contents).includes('functionResponse');
  return tools === undefined || hasResult ? PARTS : TOOL_PARTS;
}

/** Texts come in two pieces, anything else as a whole. */
function inPieces(part: object): object[] {
  if (!('text' in part) || 'thoughtSignature' in part || 'speechMetadata' in part) return [part];
  const text = String(part.text);
  return [text.slice(0, 5), text.slice(5)].map((piece) => ({ ...part, text: piece }));
}

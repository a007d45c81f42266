import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A small server that speaks the chat completions API, for machines without a language model. It answers with the
 * sentences of the given passages that share most words with the question: no intelligence, but real requests,
 * streams, tool calls and token counts.
 */
export interface ModelServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | null;
}

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

interface Passage {
  readonly number: number;
  readonly page: string;
  readonly text: string;
}

export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error), type: 'invalid_request_error' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const chat = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest;
  const passages = readPassages(chat.messages);
  const wantsTool = chat.tools !== undefined && !chat.messages.some(({ role }) => role === 'tool');
  if (wantsTool && passages[0]) sendToolCall(response, chat, passages[0]);
  else if (chat.stream) sendStream(response, chat, compose(chat.messages, passages));
  else sendWhole(response, chat, compose(chat.messages, passages));
}

/** Lines of the system message of the form `[1] page: text`. */
function readPassages(messages: readonly Message[]): Passage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content ?? '');
  const lines = system.join('\n').matchAll(/^\[(\d+)\] (\S+): (.*)$/gm);
  return [...lines].map(([, number = '', page = '', text = '']) => ({ number: Number(number), page, text }));
}

function compose(messages: readonly Message[], passages: readonly Passage[]): string {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const shouldCite = messages.some(({ role, content }) => role === 'system' && content?.includes('Cite') === true);
  const sentences = passages.flatMap((passage) => sentencesOf(passage.text).map((text) => ({ passage, text })));
  const frequency = countWords(sentences.map(({ text }) => text));
  const wanted = new Set(words(question));
  const score = (text: string) => {
    const shared = new Set(words(text).filter((word) => wanted.has(word)));
    return [...shared].reduce((sum, word) => sum + 1 / (frequency.get(word) ?? 1), 0);
  };
  const scored = sentences
    .map((sentence) => ({ ...sentence, score: score(sentence.text) }))
    .sort((a, b) => b.score - a.score || a.passage.number - b.passage.number);
  const best = scored.slice(0, 2).filter((sentence) => sentence.score > 0);
  if (best.length === 0) return 'The pages do not say.';
  return best.map(({ text, passage }) => (shouldCite ? `${text} [${passage.number}]` : text)).join(' ');
}

function sendWhole(response: ServerResponse, chat: ChatRequest, content: string): void {
  const message = { role: 'assistant', content, refusal: null };
  sendJson(response, chat, { choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }] }, content);
}

function sendToolCall(response: ServerResponse, chat: ChatRequest, passage: Passage): void {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'open_page', arguments: JSON.stringify({ page: passage.page }) },
  };
  const message = { role: 'assistant', content: null, refusal: null, tool_calls: [call] };
  const choice = { index: 0, message, finish_reason: 'tool_calls', logprobs: null };
  sendJson(response, chat, { choices: [choice] }, call.function.arguments);
}

function sendJson(response: ServerResponse, chat: ChatRequest, body: object, completion: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...envelope(chat, 'chat.completion'), ...body, usage: usageOf(chat, completion) }));
}

function sendStream(response: ServerResponse, chat: ChatRequest, content: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (body: object) => {
    response.write(`data: ${JSON.stringify({ ...envelope(chat, 'chat.completion.chunk'), ...body })}\n\n`);
  };
  for (const piece of content.match(/\s*\S+/g) ?? []) {
    send({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] });
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  if (chat.stream_options?.include_usage) send({ choices: [], usage: usageOf(chat, content) });
  response.end('data: [DONE]\n\n');
}

function envelope(chat: ChatRequest, object: string) {
  return { id: 'chatcmpl-local', object, created: Math.floor(Date.now() / 1000), model: chat.model };
}

function usageOf(chat: ChatRequest, completion: string) {
  const prompt = countTokens(chat.messages.map(({ content }) => content ?? '').join(' '));
  const answered = countTokens(completion);
  return { prompt_tokens: prompt, completion_tokens: answered, total_tokens: prompt + answered };
}

/** Words and punctuation marks: near enough to what a tokenizer counts in English text. */
function countTokens(text: string): number {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.length > 20 && sentence.length < 400);
}

/** In how many sentences each word stands: a rare word says more about a sentence than a common one. */
function countWords(sentences: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of sentences)
    for (const word of new Set(words(sentence))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function words(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => word.replace(/s$/, ''));
}

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What the assistant works with, but for its own program. */
export interface ShopState {
  readonly documents: readonly string[];
  readonly orderState: string;
  /** The state of its answers when it is asked for an order, and what it says. */
  readonly failure?: { readonly status: number; readonly words: string };
  /** That a search takes longer than it takes anyway. */
  readonly searchMs: number;
  /** Of answers of the model, behind what they were. */
  readonly modelAdds: string;
}

export const USUAL_SHOP: ShopState = {
  documents: [
    'An order is sent within two days of its payment.',
    'Where an order is, its tracking page says.',
    'An order that was sent can be returned within a month.',
    'Vouchers are taken off at the end.',
  ],
  orderState: 'sent on Tuesday',
  searchMs: 0,
  modelAdds: '',
};

export interface Shop {
  readonly url: string;
  state: ShopState;
  close(): Promise<void>;
}

/** Answers of all take a few milliseconds more or less, as networks do. */
const JITTER_MS = 20;

/** The services around the assistant: the shop with its index, and a model that answers by rule, each time with new ids. */
export async function startShop(): Promise<Shop> {
  const shop = { url: '', state: USUAL_SHOP, close: () => closed(server) };
  const server = createServer((request, response) => {
    void serve(request, response, shop);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return shop;
}

async function serve(request: IncomingMessage, response: ServerResponse, shop: Shop): Promise<void> {
  const body = await bodyOf(request);
  await wait(Math.random() * JITTER_MS);
  const [status, answer] = await answerOf(new URL(request.url ?? '/', 'http://shop'), body, shop.state);
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': randomUUID() });
  response.end(JSON.stringify(answer));
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function answerOf(
  { pathname, searchParams: asked }: URL,
  body: string,
  state: ShopState,
): Promise<[status: number, answer: unknown]> {
  if (pathname === '/search') {
    await wait(state.searchMs);
    const words = (asked.get('words') ?? '').split(',');
    const found = state.documents.filter((text) => words.some((word) => text.toLowerCase().includes(word)));
    return [200, found.slice(0, Number(asked.get('limit'))).map((text) => ({ text }))];
  }
  if (pathname.startsWith('/orders/')) {
    if (state.failure !== undefined) return [state.failure.status, state.failure.words];
    return [200, { order: pathname.split('/')[2], state: state.orderState }];
  }
  const request = JSON.parse(body) as ModelRequest;
  return [200, pathname.endsWith('/embeddings') ? embeddingOf(request) : chatOf(request, state)];
}

interface ModelRequest {
  readonly model: string;
  readonly input?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
}

function embeddingOf({ model, input = '' }: ModelRequest): object {
  const bytes = createHash('sha256').update(`${model} ${input}`).digest();
  const embedding = [...bytes.subarray(0, 8)].map((byte) => byte / 256);
  const usage = { prompt_tokens: input.length, total_tokens: input.length };
  return { object: 'list', model, data: [{ object: 'embedding', index: 0, embedding }], usage };
}

/** The same text for the same request. */
function chatOf({ model, messages = [] }: ModelRequest, { modelAdds }: ShopState): object {
  const asked = messages.map(({ content }) => content).join('\n');
  const content = `Dear customer: ${asked.split('\n').at(-1)} ${asked.split('\n')[1]}${modelAdds}`;
  const tokens = asked.length + Math.floor(Math.random() * 3);
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    system_fingerprint: `fp_${randomUUID().slice(0, 10)}`,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', logprobs: null }],
    usage: { prompt_tokens: tokens, completion_tokens: content.length, total_tokens: tokens + content.length },
  };
}

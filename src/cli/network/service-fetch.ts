import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { arrayBuffer, text } from 'node:stream/consumers';
import { isLoopback } from '../../server/http/check-host.ts';

/**
 * A `fetch` for services. One of this machine is asked by the older client of Node: to load what `fetch` is made of, and to
 * wait for it at the end of the process, takes three times as long as all else that a short command does:
 * docs/decisions/0047-commands-ask-without-fetch.md.
 */
export const serviceFetch: typeof fetch = async (input, init = {}) => {
  const { body } = init;
  const isShort = typeof input === 'string' && (body === undefined || typeof body === 'string');
  return isShort && isOfThisMachine(input) ? await ask(input, { ...init, body }) : await fetch(input, init);
};

function isOfThisMachine(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && isLoopback(hostname);
}

type Question = Omit<RequestInit, 'body'> & { readonly body: string | undefined };

function ask(url: string, { method = 'GET', headers, body, signal }: Question): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      // Readers of ours name them so.
      headers: headers as Record<string, string>,
      ...(signal && { signal }),
    });
    outgoing.on('response', (incoming) => resolve(responseOf(incoming, url)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The parts of a `Response` that readers use: making a real one would load all of `fetch`. */
type ReadResponse = Pick<Response, 'ok' | 'status' | 'url' | 'body' | 'text' | 'json' | 'arrayBuffer'> & {
  readonly headers: Pick<Headers, 'get'>;
};

function responseOf(incoming: IncomingMessage, url: string): Response {
  const { statusCode: status = 0 } = incoming;
  const response: ReadResponse = {
    ok: status >= 200 && status < 300,
    status,
    url,
    headers: { get: (name) => headerOf(incoming, name) },
    get body() {
      return Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>;
    },
    text: async () => await text(incoming),
    arrayBuffer: async () => await arrayBuffer(incoming),
    json: async () => JSON.parse(await text(incoming)) as unknown,
  };
  return response as Response;
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : String(value);
}

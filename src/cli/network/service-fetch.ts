import { type IncomingMessage, request } from 'node:http';
import { arrayBuffer, text } from 'node:stream/consumers';
import { isLoopback } from '../../protocol/loopback.ts';

/**
 * A `fetch` for services. One of this machine is asked by the older client of Node: to load what `fetch` is made of, and to
 * wait for it at the end of the process, takes three times as long as all else that a short command does:
 * docs/decisions/0047-commands-ask-without-fetch.md.
 */
export const serviceFetch: typeof fetch = async (input, init = {}) => {
  const { body } = init;
  if (typeof input !== 'string' || !isOfThisMachine(input) || (body !== undefined && typeof body !== 'string'))
    return await fetch(input, init);
  const response = await ask(input, { ...init, body });
  // It may lead anywhere.
  return response.status >= 300 && response.status < 400 ? await fetch(input, init) : response;
};

function isOfThisMachine(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && isLoopback(hostname);
}

/** As long as `fetch` waits for an answer, or for more of one. */
const SILENT_MS = 300_000;

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
    outgoing.setTimeout(SILENT_MS, () =>
      outgoing.destroy(new Error(`Nothing was heard of it for ${SILENT_MS / 1000} s`)),
    );
    outgoing.end(body);
  });
}

/** The parts of a `Response` that readers use: making a real one would load all of `fetch`. */
type ReadResponse = Pick<Response, 'ok' | 'status' | 'url' | 'text' | 'json' | 'arrayBuffer'> & {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: ReadBody;
};

interface ReadBody {
  getReader(): Pick<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, 'read' | 'cancel'>;
}

function responseOf(incoming: IncomingMessage, url: string): Response {
  const { statusCode: status = 0 } = incoming;
  const response: ReadResponse = {
    ok: status >= 200 && status < 300,
    status,
    url,
    headers: { get: (name) => headerOf(incoming, name) },
    get body() {
      return bodyOf(incoming);
    },
    text: async () => await text(incoming),
    arrayBuffer: async () => await arrayBuffer(incoming),
    json: async () => JSON.parse(await text(incoming)) as unknown,
  };
  return response as Partial<Response> as Response;
}

/** Read piece by piece, and left early at the cost of the connection. To load the streams of the web takes 2 ms. */
function bodyOf(incoming: IncomingMessage): ReadBody {
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array<ArrayBuffer>, undefined>;
  return {
    getReader: () => ({
      read: async () => await chunks.next(),
      cancel: async () => void incoming.destroy(),
    }),
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : String(value);
}

import type { Way } from './unreliable-provider.ts';

/** What a request of the programs has at hand. */
export interface Asked {
  /** Tells the way that the request is to end. */
  readonly model: string;
  readonly signal: AbortSignal;
  /** Reads a stream, or leaves it after the first event. */
  readonly read: (stream: AsyncIterable<unknown>) => Promise<unknown>;
}

/** A request with a method of a library, by which the program gets its answer in one of the ways that there are. */
export type MakeRequest<Client> = (client: Client, asked: Asked) => Promise<unknown>;

export interface RequestProgram<Client> {
  readonly ways: readonly Way[];
  readonly requests: Readonly<Record<string, MakeRequest<Client>>>;
  readonly connect: (url: string) => Client;
}

/** Makes each request in each way, and prints what the program gets, which handles every error. */
export async function makeRequests<Client>({ ways, requests, connect }: RequestProgram<Client>): Promise<void> {
  // Libraries write of methods that will go, and of events that they cannot read, in which asked tokens stand.
  console.error = () => undefined;
  console.warn = () => undefined;
  const aborts = new Map<string, AbortController>();
  passAborts(ways, aborts);
  const take = async (way: Way): Promise<string[]> => {
    const client = connect(way.url);
    const lines: string[] = [];
    for (const [name, request] of Object.entries(requests)) {
      const controller = new AbortController();
      aborts.set(way.url, controller);
      if (way.abort === 'before') controller.abort();
      const asked = { model: `way-${way.name}`, signal: controller.signal, read: way.isLeft === true ? first : all };
      lines.push(`${way.name}, ${name}: ${await outcome(() => request(client, asked))}`);
    }
    return lines;
  };
  for (const lines of await Promise.all(ways.map(take))) console.log(lines.join('\n'));
}

/** The program takes its requests back when one is on its way, or when the answers to all of them have begun. */
function passAborts(ways: readonly Way[], aborts: ReadonlyMap<string, AbortController>): void {
  const plainFetch = globalThis.fetch;
  const unanswered = new Map<Way, number>();
  const count = (way: Way, change: number): number => {
    const left = (unanswered.get(way) ?? 0) + change;
    unanswered.set(way, left);
    return left;
  };
  globalThis.fetch = async (...args) => {
    const [request] = args;
    const address = request instanceof Request ? request.url : String(request);
    const way = ways.find(({ url }) => address.startsWith(`${url}/`));
    const answer = plainFetch(...args);
    if (way === undefined) return answer;
    const abort = () => void setImmediate(() => aborts.get(way.url)?.abort());
    count(way, 1);
    if (way.abort === 'sent') abort();
    try {
      return await answer;
    } finally {
      // Of several at once the one that waits would end in another way than one of which the answer has begun.
      if (count(way, -1) === 0 && way.abort === 'answered') abort();
    }
  };
}

async function outcome(action: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await action()) ?? 'undefined';
  } catch (error) {
    if (!(error instanceof Error)) return `thrown: ${String(error)}`;
    const { status, cause } = error as { readonly status?: number; readonly cause?: unknown };
    return `${error.constructor.name} ${error.name} ${status}: ${error.message} (${String(cause)})`;
  }
}

async function all(stream: AsyncIterable<unknown>): Promise<unknown> {
  const seen: unknown[] = [];
  for await (const item of stream) seen.push(item);
  return seen;
}

async function first(stream: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of stream) return item;
  return undefined;
}

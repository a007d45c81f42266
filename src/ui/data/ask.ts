import { servicePath } from '../address/paths.ts';
import { errorOfAnswer, PageError } from './page-error.ts';

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly method?: 'GET' | 'POST';
  /** Goes on when the page is left. */
  readonly keepalive?: boolean;
}

/** Requests that change something need it: no other page can make a browser send it. */
const PAGE_HEADER = { 'x-spoor-page': '1' };

/** The whole address of a path of the service. */
export function addressOf(path: string): string {
  return servicePath(location.pathname) + path;
}

/** Asks the service and reads its JSON. Everything that is no 2xx answer is thrown as a `PageError`. */
export async function ask<T>(path: string, body?: unknown, options: AskOptions = {}): Promise<T> {
  const answer = await send(path, body, options);
  return (await answer.json()) as T;
}

/** The same, with the body not read yet. */
export async function send(path: string, body?: unknown, options: AskOptions = {}): Promise<Response> {
  const { signal, method = 'POST', keepalive = false } = options;
  const answer = await answerOf(addressOf(path), {
    method,
    keepalive,
    credentials: 'same-origin',
    headers: { ...PAGE_HEADER, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    ...(signal !== undefined && { signal }),
  });
  if (!answer.ok) throw await errorOfAnswer(answer);
  return answer;
}

async function answerOf(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    throw new PageError('The service does not answer', { status: 0, code: 'network_error' });
  }
}

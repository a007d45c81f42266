import type { ServiceProcess } from '../service-process.ts';
import type { Ask } from './observe.ts';
import type { Step } from './writers.ts';

type Service = Pick<ServiceProcess, 'url' | 'apiKey'>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** Sends what a writer thought of; undefined when there was no whole answer. */
export async function send({ url, apiKey }: Service, { path, body, headers }: Step): Promise<Answer | undefined> {
  const isRaw = body instanceof FormData || body instanceof Uint8Array;
  const type = isRaw ? {} : { 'content-type': 'application/json' };
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, ...type, ...headers },
      body: isRaw ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const parsed = text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined;
    return { status: response.status, headers: response.headers, text, body: parsed };
  } catch {
    return undefined;
  }
}

export function askOf({ url, apiKey }: Service): Ask {
  return async (path, body) =>
    await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}

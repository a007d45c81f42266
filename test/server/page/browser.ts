import type { Answer } from '../running-server.ts';

/** What a browser does with cookies and headers of the page. */
export interface Browser {
  readonly cookie: string;
  setCookie(secret: string): void;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export function openBrowser(url: string): Browser {
  let cookie = '';
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch(url + path, { ...init, headers });
    const [pair = ''] = (response.headers.get('set-cookie') ?? '').split(';');
    if (pair !== '') cookie = pair.endsWith('=') ? '' : pair;
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  };
  return {
    get cookie() {
      return cookie;
    },
    setCookie: (secret) => {
      cookie = `spoor_session_${new URL(url).port}=${secret}`;
    },
    get: async (path, headers = {}) => await send(path, { headers }),
    post: async (path, body, headers = {}) =>
      await send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'x-spoor-page': '1', ...headers } }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

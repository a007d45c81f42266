import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Session } from './answers.ts';
import { ask } from './ask.ts';

export const SESSION_KEY = ['session'];

export function useSession(): UseQueryResult<Session> {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      await redeemToken();
      return ask<Session>('/x/session', undefined, { method: 'GET', signal });
    },
  });
}

export async function enter(credentials: { api_key: string } | { token: string }): Promise<void> {
  await ask('/x/session', credentials);
}

export async function leave(): Promise<void> {
  await ask('/x/session/end');
}

/**
 * The token of a link is for one use. It leaves the address before it is sent, so that neither the history nor a reload
 * holds it. One that is used up is no error: the session it became may still be there.
 */
async function redeemToken(): Promise<void> {
  const token = takeToken();
  if (token === undefined) return;
  await enter({ token }).catch(() => undefined);
}

function takeToken(): string | undefined {
  const search = new URLSearchParams(location.search);
  const hash = new URLSearchParams(location.hash.slice(1));
  const token = search.get('token') ?? hash.get('token') ?? undefined;
  if (token === undefined) return undefined;
  search.delete('token');
  hash.delete('token');
  const [query, rest] = [search.toString(), hash.toString()];
  history.replaceState(history.state, '', location.pathname + (query && `?${query}`) + (rest && `#${rest}`));
  return token;
}

import { type QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Session } from './answers.ts';
import { ask } from './ask.ts';
import { PageError } from './page-error.ts';
import { post } from './shared-changes.ts';

export const SESSION_KEY = ['session'];

/** Whether the service is still there, and still knows who is here. */
export const LIFE_KEY = ['sign of life'];

export function useSession(): UseQueryResult<Session> {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      const refusal = await redeemToken();
      try {
        return await askWhoIsHere(signal);
      } catch (error) {
        throw refusal !== undefined && isRefused(error) ? refusal : error;
      }
    },
  });
}

export function askWhoIsHere(signal?: AbortSignal): Promise<Session> {
  return ask<Session>('/x/session', undefined, { method: 'GET', signal });
}

function isRefused(error: unknown): error is PageError {
  return error instanceof PageError && error.status === 401;
}

/** Forgets what was read: whoever comes next may be somebody else. */
export async function enterAnew(client: QueryClient): Promise<void> {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  await client.invalidateQueries({ queryKey: SESSION_KEY });
}

/** Who a session is of: what is shown to one is shown to no other. */
export function visitorOf({ user_id: user, entities }: Session): string {
  return JSON.stringify([user, entities]);
}

/** Goes on for somebody else, who must see nothing of what was read for the one before. */
export function showTo(client: QueryClient, session: Session): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  client.setQueryData<Session>(SESSION_KEY, session);
}

/** Opens a session. Rejects where it was aborted before it was known: others are told nothing of it then. */
export async function enter(credentials: { api_key: string } | { token: string }, signal?: AbortSignal): Promise<void> {
  await ask('/x/session', credentials, { signal });
  signal?.throwIfAborted();
  tellOthers();
}

export async function leave(): Promise<void> {
  await ask('/x/session/end');
  tellOthers();
}

/** The windows of a browser have one session together, and tell each other under this name that it has changed. */
const CHANNEL = 'spoor session';

function tellOthers(): void {
  const channel = new BroadcastChannel(CHANNEL);
  post(channel, 'changed');
  channel.close();
}

/** Calls back each time that somebody has logged in or out in another window of this browser. Returns what ends it. */
export function onOtherSession(run: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', run);
  return () => channel.close();
}

/**
 * The token of a link is for one use. It leaves the address before it is sent, so that neither the history nor a reload
 * holds it. One that is used up is an error only where there is no session: the one that it became may still be there.
 */
async function redeemToken(): Promise<PageError | undefined> {
  const token = takeToken();
  if (token === undefined) return undefined;
  try {
    await enter({ token });
    return undefined;
  } catch (error) {
    return isRefused(error) ? error : undefined;
  }
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

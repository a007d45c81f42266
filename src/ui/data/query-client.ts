import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { PageError } from './page-error.ts';

const RETRIES = 1;

/**
 * Answers stay until something says that they changed: nothing is read again because a window got the focus. What the
 * service refuses is not asked again; where it is gone, the banner asks.
 */
export function createQueryClient(onError: (error: Error, query: Pick<Query, 'queryKey'>) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: {
        // The service is mostly on this machine, which is there without a network, too.
        networkMode: 'always',
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (count, error) => count < RETRIES && error instanceof PageError && error.status >= 500,
      },
    },
  });
}

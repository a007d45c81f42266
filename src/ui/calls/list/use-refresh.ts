import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useThrottled } from './use-throttled.ts';

/**
 * Has what is kept under a key read again, at most every `ms`. What is being read is waited for, since an answer that takes
 * longer than `ms` would never come otherwise; it is read once more then, for what happened meanwhile. What was stopped before
 * anything of it came stays so. While it is paused nothing is read, also not what was asked for before.
 */
export function useRefresh(queryKey: QueryKey, ms: number, isPaused = false): () => void {
  const client = useQueryClient();
  const refresh = useThrottled(() => {
    if (isPaused) return;
    if (client.isFetching({ queryKey }) > 0) refresh();
    else void client.invalidateQueries({ queryKey, predicate: ({ state }) => state.status !== 'pending' });
  }, ms);
  return refresh;
}

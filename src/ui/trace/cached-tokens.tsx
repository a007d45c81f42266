import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { rowsAmong } from '../data/call-rows.ts';
import { formatCount } from '../format/count.ts';

export interface CachedTokensProps {
  readonly project: string;
  /** The outermost calls, which have the sums of all below them. */
  readonly roots: readonly string[];
  /** Of all of them: when it is another, there may be more. */
  readonly tokens: number;
}

/** How many tokens of a trace came from a cache, where some did. */
export function CachedTokens({ project, roots, tokens }: CachedTokensProps): ReactElement | undefined {
  const { data = 0 } = useQuery({
    queryKey: ['cached tokens', project, roots, tokens],
    placeholderData: (was: number | undefined) => was,
    queryFn: async () => {
      const rows = await rowsAmong({ project_id: project }, roots);
      return rows.reduce((sum, { tokens_cached: cached }) => sum + (cached ?? 0), 0);
    },
  });
  return data === 0 ? undefined : <> ({formatCount(data)} cached)</>;
}

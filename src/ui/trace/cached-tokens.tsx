import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { formatCount } from '../format/count.ts';

export interface CachedTokensProps {
  /** Of the trace: one has another answer than the next. */
  readonly source: string;
  /** The outermost calls, which have the sums of all below them. */
  readonly roots: readonly string[];
  /** Of all of them: when it is another, there may be more. */
  readonly tokens: number;
  /** How many came from a cache in each of some calls. */
  readonly read: (roots: readonly string[]) => Promise<readonly number[]>;
}

/** How many tokens of a trace came from a cache, where some did. */
export function CachedTokens({ source, roots, tokens, read }: CachedTokensProps): ReactElement | undefined {
  const { data = 0 } = useQuery({
    queryKey: ['cached tokens', source, roots, tokens],
    placeholderData: (was: number | undefined) => was,
    queryFn: async () => (await read(roots)).reduce((sum, cached) => sum + cached, 0),
  });
  return data === 0 ? undefined : <> ({formatCount(data)} cached)</>;
}

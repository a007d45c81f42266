import type { ReactElement } from 'react';
import { useGrowthWords } from '../trace/use-growth-words.ts';
import type { ShownStats } from './list/use-shown-calls.ts';

export interface NewCallsProps {
  readonly stats: ShownStats;
}

/** Says what comes to who does not see it. Its place stays while sums are read: it is known to who listens to it. */
export function NewCalls({ stats: { data, isOld } }: NewCallsProps): ReactElement {
  const known = isOld ? undefined : data;
  const words = useGrowthWords(known?.count, known?.errors);
  return (
    <p className="vh" role="status" aria-label="New calls">
      {words}
    </p>
  );
}

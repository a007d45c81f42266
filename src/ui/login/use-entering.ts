import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { PageError } from '../data/page-error.ts';
import { enter, enterAnew } from '../data/session.ts';

interface Attempt {
  readonly key: string;
  readonly abort: AbortController;
  /** Its request has been answered, or is given up. */
  readonly over: Promise<void>;
}

export interface Entering {
  /** Why the newest key was refused, or at first why one is needed. */
  readonly error: string | undefined;
  readonly give: (key: string) => void;
}

/**
 * Opens the page with a key. Another may be given while it is still asked about: the newest counts. The one before is given up
 * before the next is sent, so that the session that the browser is left with is never that of an older key.
 */
export function useEntering(firstError: string | undefined): Entering {
  const [error, setError] = useState(firstError);
  const newest = useRef<Attempt>(undefined);
  const client = useQueryClient();
  const enterWith = async (key: string, { signal }: AbortController, before: Promise<void> | undefined) => {
    await before;
    if (signal.aborted) return;
    try {
      await enter({ api_key: key }, signal);
      await enterAnew(client);
    } catch (failure) {
      if (!signal.aborted) setError(reasonOf(failure));
    }
  };
  const give = (key: string): void => {
    const before = newest.current;
    // A second press of Enter asks nothing new.
    if (before?.key === key) return;
    before?.abort.abort();
    const abort = new AbortController();
    const over = enterWith(key, abort, before?.over).finally(() => {
      if (newest.current?.abort === abort) newest.current = undefined;
    });
    newest.current = { key, abort, over };
  };
  return { error, give };
}

function reasonOf(failure: unknown): string {
  if (failure instanceof PageError && failure.status === 401) return 'The service does not know this key';
  return failure instanceof Error ? failure.message : String(failure);
}

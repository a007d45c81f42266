import { createContext } from 'react';
import { addressOf } from '../../data/ask.ts';
import { PageError } from '../../data/page-error.ts';
import type { CompareAnswer } from './answer.ts';
import type { Comparer, CompareOptions, VersionDiff } from './comparer.ts';
import type { PairDetail } from './pair-detail.ts';
import type { FromThread, Question } from './thread-messages.ts';

/** How a page comes to what compares calls of a project. */
export type OpenComparer = (project: string) => Comparer;

export const OpenComparerContext = createContext<OpenComparer>(comparerInThread);

/** A question without its id. */
type Asked = Question extends infer Each ? (Each extends Question ? Omit<Each, 'id'> : never) : never;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onCount?: CompareOptions['onCount'];
}

/**
 * Reads and compares in a thread: twenty thousand calls with all that is in them are megabytes of JSON, and the page that waits
 * for them must answer.
 */
export function comparerInThread(project: string): Comparer {
  const thread = new Worker(new URL('./compare-thread.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let ids = 0;
  thread.addEventListener('message', ({ data }: MessageEvent<FromThread>) => {
    const asked = waiting.get(data.id);
    if (data.kind === 'count') return asked?.onCount?.(data.count);
    waiting.delete(data.id);
    if (data.kind === 'answer') asked?.resolve(data.answer);
    else asked?.reject(new PageError(data.failure.message, data.failure));
  });
  thread.addEventListener('error', (event) => {
    const error = new Error(`Cannot compare: ${event.message || 'the code for it could not be loaded'}`);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  thread.postMessage({ kind: 'open', url: location.origin + addressOf(''), project }, []);
  const ask = async <Answer>(question: Asked, { signal, onCount }: CompareOptions = {}): Promise<Answer> => {
    const id = (ids += 1);
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject, onCount }));
    signal?.addEventListener('abort', () => thread.postMessage({ kind: 'cancel', id }, []), { once: true });
    thread.postMessage({ ...question, id }, []);
    // The thread is of the same version of the page, and answers each question with what it asks for.
    return (await answer) as Answer;
  };
  return {
    compare: (sides, options) => ask<CompareAnswer>({ kind: 'compare', ids: sides }, options),
    pair: (key, pair) => ask<PairDetail>({ kind: 'pair', key, pair }),
    versions: (change) => ask<VersionDiff>({ kind: 'versions', change }),
    numbers: (changes) => ask({ kind: 'numbers', changes }),
    close: () => thread.terminate(),
  };
}

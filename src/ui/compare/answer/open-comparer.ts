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
 * for them must answer. One whose code could not be loaded says nothing ever: with the next question another one is made.
 */
export function comparerInThread(project: string): Comparer {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let isClosed = false;
  let ids = 0;
  const end = (reason: Error): void => {
    thread?.terminate();
    thread = undefined;
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  const take = ({ data }: MessageEvent<FromThread>): void => {
    const asked = waiting.get(data.id);
    if (data.kind === 'count') return asked?.onCount?.(data.count);
    waiting.delete(data.id);
    if (data.kind === 'answer') asked?.resolve(data.answer);
    else asked?.reject(new PageError(data.failure.message, data.failure));
  };
  const make = (): Worker => {
    const made = new Worker(new URL('./compare-thread.ts', import.meta.url), { type: 'module' });
    made.addEventListener('message', take);
    made.addEventListener('error', ({ message }) => {
      if (made === thread) end(new Error(`Cannot compare: ${message || 'the code for it could not be loaded'}`));
    });
    made.postMessage({ kind: 'open', url: location.origin + addressOf(''), project }, []);
    return made;
  };
  const ask = async <Answer>(question: Asked, { signal, onCount }: CompareOptions = {}): Promise<Answer> => {
    if (isClosed) throw closed();
    const asked = (thread ??= make());
    const id = (ids += 1);
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject, onCount }));
    signal?.addEventListener('abort', () => asked.postMessage({ kind: 'cancel', id }, []), { once: true });
    asked.postMessage({ ...question, id }, []);
    // The thread is of the same version of the page, and answers each question with what it asks for.
    return (await answer) as Answer;
  };
  thread = make();
  return {
    compare: (sides, options) => ask<CompareAnswer>({ kind: 'compare', ids: sides }, options),
    pair: (key, pair, options) => ask<PairDetail>({ kind: 'pair', key, pair }, options),
    versions: (change, options) => ask<VersionDiff>({ kind: 'versions', change }, options),
    numbers: (changes, options) => ask({ kind: 'numbers', changes }, options),
    close: () => {
      isClosed = true;
      end(closed());
    },
  };
}

function closed(): Error {
  return new Error('The comparison was closed');
}

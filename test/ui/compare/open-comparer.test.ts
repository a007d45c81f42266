// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Comparer, CompareOptions } from '../../../src/ui/compare/answer/comparer.ts';
import { comparerInThread } from '../../../src/ui/compare/answer/open-comparer.ts';
import type { FromThread, ToThread } from '../../../src/ui/compare/answer/thread-messages.ts';
import { PageError } from '../../../src/ui/data/page-error.ts';

let threads: Thread[] = [];

/** A thread that does what a test says. */
class Thread extends EventTarget {
  readonly asked: ToThread[] = [];
  isOver = false;

  constructor() {
    super();
    threads.push(this);
  }

  postMessage(message: ToThread): void {
    this.asked.push(message);
  }

  tell(data: FromThread): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  terminate(): void {
    this.isOver = true;
  }
}

beforeEach(() => {
  threads = [];
  vi.stubGlobal('Worker', Thread);
});
afterEach(() => vi.unstubAllGlobals());

function open(): { readonly comparer: ReturnType<typeof comparerInThread>; readonly thread: Thread } {
  const comparer = comparerInThread('acme/demo');
  const [thread] = threads;
  if (thread === undefined) throw new Error('There is no thread');
  return { comparer, thread };
}

test('a thread is told where calls are, asked, and over when it is closed', async () => {
  const { comparer, thread } = open();
  const answered = comparer.pair(3, 5);
  expect(thread.asked).toEqual([
    { kind: 'open', url: expect.stringMatching(/^(?:http|about)/), project: 'acme/demo' },
    { kind: 'pair', key: 3, pair: 5, id: 1 },
  ]);
  thread.tell({ kind: 'answer', id: 1, answer: 'the pair' });
  expect(await answered).toBe('the pair');
  comparer.close();
  expect(thread.isOver).toBe(true);
});

test('each answer goes to its question, whatever comes first', async () => {
  const { comparer, thread } = open();
  const both = [comparer.pair(1, 1), comparer.versions({ name: 'x', a: 'a', b: 'b' }), comparer.numbers([])];
  thread.tell({ kind: 'answer', id: 3, answer: 'third' });
  thread.tell({ kind: 'answer', id: 2, answer: 'second' });
  thread.tell({ kind: 'answer', id: 1, answer: 'first' });
  expect(await Promise.all(both)).toEqual(['first', 'second', 'third']);
});

test('what has come is told, and who waits no more says so', async () => {
  const { comparer, thread } = open();
  const counts: number[] = [];
  const abort = new AbortController();
  void comparer.compare({ a: 'x', b: 'y' }, { signal: abort.signal, onCount: (count) => counts.push(count) });
  thread.tell({ kind: 'count', id: 1, count: 200 });
  thread.tell({ kind: 'count', id: 7, count: 400 });
  expect(counts).toEqual([200]);
  abort.abort();
  expect(thread.asked.at(-1)).toEqual({ kind: 'cancel', id: 1 });
});

test('a failure is one as the page knows them', async () => {
  const { comparer, thread } = open();
  const asked = comparer.compare({ a: 'x', b: 'y' });
  const failure = { message: 'The service does not answer', status: 0, code: 'network_error', requestId: 'r-1' };
  thread.tell({ kind: 'failure', id: 1, failure });
  const error = await asked.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PageError);
  expect(error).toMatchObject({ message: failure.message, isGone: true, requestId: 'r-1' });
});

test('a thread whose code cannot be loaded fails all that it was asked', async () => {
  const { comparer, thread } = open();
  const asked = [comparer.pair(1, 1), comparer.pair(1, 2)].map(
    async (each) => await each.then(String, (reason: Error) => reason.message),
  );
  thread.dispatchEvent(new Event('error'));
  expect(await Promise.all(asked)).toEqual([
    'Cannot compare: the code for it could not be loaded',
    'Cannot compare: the code for it could not be loaded',
  ]);
});

test('a thread whose code could not be loaded is made anew with the next question', async () => {
  const { comparer, thread } = open();
  const failed = comparer.pair(1, 1).catch((reason: Error) => reason.message);
  thread.dispatchEvent(new Event('error'));
  expect(await failed).toMatch(/^Cannot compare/);
  expect(threads).toHaveLength(1);
  const answered = comparer.compare({ a: 'x', b: 'y' });
  const next = threads[1];
  expect(thread.isOver).toBe(true);
  expect(next?.asked).toEqual([
    { kind: 'open', url: expect.stringMatching(/^(?:http|about)/), project: 'acme/demo' },
    { kind: 'compare', ids: { a: 'x', b: 'y' }, id: 2 },
  ]);
  next?.tell({ kind: 'answer', id: 2, answer: 'compared' });
  expect(await answered).toBe('compared');
});

test('what waits when it is closed, and what is asked after that, fails', async () => {
  const { comparer, thread } = open();
  const waiting = [comparer.compare({ a: 'x', b: 'y' }), comparer.numbers([])];
  comparer.close();
  const late = comparer.pair(1, 1);
  const reasons = [...waiting, late].map(async (each) => await each.then(String, (reason: Error) => reason.message));
  expect(await Promise.all(reasons)).toEqual(Array.from({ length: 3 }, () => 'The comparison was closed'));
  expect(threads).toHaveLength(1);
  expect(thread.asked).toHaveLength(3);
});

test.each([
  ['pair', (comparer: Comparer, options: CompareOptions) => comparer.pair(1, 1, options)],
  [
    'versions',
    (comparer: Comparer, options: CompareOptions) => comparer.versions({ name: 'x', a: 'a', b: 'b' }, options),
  ],
  ['numbers', (comparer: Comparer, options: CompareOptions) => comparer.numbers([], options)],
] as const)('who waits no more for %s says so', (_kind, ask) => {
  const { comparer, thread } = open();
  const abort = new AbortController();
  void ask(comparer, { signal: abort.signal });
  abort.abort();
  expect(thread.asked.at(-1)).toEqual({ kind: 'cancel', id: 1 });
});

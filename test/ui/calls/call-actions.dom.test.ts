import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { GOOD } from '../../../src/ui/call/feedback-kinds.ts';
import { type ActionPlace, giveToCalls, saveCalls, type Underway } from '../../../src/ui/calls/call-actions.ts';
import type { CallRow } from '../../../src/ui/data/answers.ts';

afterEach(() => void vi.unstubAllGlobals());

interface Said {
  readonly place: ActionPlace;
  readonly texts: readonly string[];
  readonly works: readonly (Underway | undefined)[];
  readonly isDone: () => boolean;
}

/** A list with so many calls selected. `onTell` meets what is said of the work. */
function listOf(count: number, onTell: (work: Underway | undefined) => void = () => undefined): Said {
  const texts: string[] = [];
  const works: (Underway | undefined)[] = [];
  let isDone = false;
  const place: ActionPlace = {
    project: 'local/app',
    rows: Array.from({ length: count }, (_, index) => ({ id: `call-${index}` }) as CallRow),
    selection: undefined,
    client: new QueryClient(),
    toast: ({ text }) => texts.push(text),
    tell: (work) => {
      works.push(work);
      onTell(work);
    },
    onHide: () => undefined,
    onShow: () => undefined,
    onDone: (ids) => {
      isDone = ids.length === count;
    },
  };
  return { place, texts, works, isDone: () => isDone };
}

/** The service: it refuses from a request on. */
function answerAll(refusedFrom = Infinity): void {
  let asked = 0;
  vi.stubGlobal('fetch', async () =>
    asked++ < refusedFrom
      ? Response.json({ id: `feedback-${asked}` })
      : Response.json({ reason: 'not your project', error_code: 'forbidden' }, { status: 403 }),
  );
}

test('feedback for many calls says how far it is', async () => {
  answerAll();
  const { place, texts, works, isDone } = listOf(3000);
  await giveToCalls(place, GOOD);
  // A page is not drawn thousands of times for it.
  expect(works.length).toBeLessThanOrEqual(102);
  expect(works[0]).toMatchObject({ doing: 'Giving feedback', far: '0 of 3,000 calls' });
  expect(works.at(-2)).toMatchObject({ far: '3,000 of 3,000 calls' });
  expect(works.at(-1)).toBeUndefined();
  expect(texts).toEqual(['Feedback given to 3,000 calls']);
  expect(isDone()).toBe(true);
});

test('it can be stopped; the calls stay selected, and what was given is said', async () => {
  answerAll();
  const { place, texts, works, isDone } = listOf(3000, (work) => {
    if (work?.far.startsWith('120 ') === true) work.stop();
  });
  await giveToCalls(place, GOOD);
  expect(works.at(-1)).toBeUndefined();
  expect(texts).toEqual([expect.stringMatching(/^Feedback given to 12\d of 3,000 calls, then stopped$/)]);
  expect(isDone()).toBe(false);
});

test('a refusal is told with its reason', async () => {
  answerAll(4);
  const { place, texts, isDone } = listOf(10);
  await giveToCalls(place, GOOD);
  expect(texts).toEqual(['Feedback given to 4 of 10 calls: not your project']);
  expect(isDone()).toBe(false);
});

test('calls whose export failed stay selected', async () => {
  answerAll(0);
  const { place, texts, isDone } = listOf(2000);
  await saveCalls(place, 'csv', false);
  expect(texts).toEqual(['Export failed: not your project']);
  expect(isDone()).toBe(false);
});

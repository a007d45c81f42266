import { afterEach, expect, test, vi } from 'vitest';
import { giveFeedbackToAll, removeFeedback } from '../../../src/ui/data/give-feedback.ts';

afterEach(() => void vi.unstubAllGlobals());

const GOOD = { feedback_type: 'svc.reaction.1', payload: { emoji: '👍' } };

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `call-${index}`);

interface Sent {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** The browser's side: everything that is sent of a page; from request `refusedFrom` on it is refused. */
function listen(refusedFrom = Infinity): { readonly sent: readonly Sent[]; readonly mostAtATime: () => number } {
  const sent: Sent[] = [];
  let [now, most] = [0, 0];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    const index = sent.push({ path: url, body: JSON.parse(body as string) as Record<string, unknown> }) - 1;
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 0));
    now--;
    const status = index < refusedFrom ? 200 : 403;
    const answer =
      status === 200 ? { id: `feedback-${index}` } : { reason: 'not your project', error_code: 'forbidden' };
    return Response.json(answer, { status });
  });
  return { sent, mostAtATime: () => most };
}

test.each([0, 1, 7, 250])('%i calls get the same feedback, each once, few at a time', async (count) => {
  const { sent, mostAtATime } = listen();
  const given = await giveFeedbackToAll('local/app', ids(count), GOOD);
  expect(given.problem).toBeUndefined();
  expect(given.ids).toHaveLength(count);
  expect(sent).toHaveLength(count);
  expect(new Set(sent.map(({ body }) => body['svc_ref']))).toEqual(
    new Set(ids(count).map((id) => `svc:///local/app/call/${id}`)),
  );
  expect(sent.every(({ body }) => body['feedback_type'] === 'svc.reaction.1')).toBe(true);
  expect(mostAtATime()).toBeLessThanOrEqual(6);
});

test('after a refusal nothing more is asked, and what was given is known', async () => {
  const { sent } = listen(10);
  const { ids: made, problem } = await giveFeedbackToAll('local/app', ids(100), GOOD);
  expect(problem?.message).toBe('not your project');
  expect(made).toHaveLength(10);
  expect(sent.length).toBeLessThan(20);
});

test('what was given to many is removed in parts that the service takes', async () => {
  const { sent } = listen();
  await removeFeedback('local/app', ids(1201));
  const named = sent.map(({ body }) => JSON.stringify(body).split('$literal').length - 1);
  expect(named).toEqual([500, 500, 201]);
});

test('it is told how many have it; once it is stopped no more get it, and those that do are known', async () => {
  const { sent } = listen();
  const abort = new AbortController();
  const told: number[] = [];
  const { ids: made, problem } = await giveFeedbackToAll('local/app', ids(5000), GOOD, {
    signal: abort.signal,
    onGiven: (count) => {
      told.push(count);
      if (count === 20) abort.abort();
    },
  });
  expect(problem).toBeUndefined();
  expect(told).toEqual(Array.from({ length: told.length }, (_, index) => index + 1));
  expect(made).toHaveLength(sent.length);
  expect(made.length).toBeGreaterThanOrEqual(20);
  expect(made.length).toBeLessThanOrEqual(26);
});

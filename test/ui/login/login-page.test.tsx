import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { PageError } from '../../../src/ui/data/page-error.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';
import { LoginPage } from '../../../src/ui/login/login-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A page that asks for a key, and the keys that it was given: each is answered when the test says so. */
function askForKey() {
  const given: { key: string; answer: (status: number) => void }[] = [];
  const told: unknown[] = [];
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage = (word: unknown) => told.push(word);
      close = () => undefined;
    },
  );
  vi.stubGlobal('fetch', (_: string, { body, signal }: RequestInit) => {
    const { api_key: key } = JSON.parse(body as string) as { api_key: string };
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      const answer = (status: number) => resolve(Response.json({ detail: 'unknown key' }, { status }));
      given.push({ key, answer });
    });
  });
  const refusal = new PageError('no session', { status: 401, code: 'unauthorized', session: 'missing' });
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <LoginPage refusal={refusal} />
    </QueryClientProvider>,
  );
  const field = screen.getByLabelText('Key');
  const press = (key: string) => {
    fireEvent.change(field, { target: { value: key } });
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  };
  const give = async (key: string) => {
    const before = given.length;
    press(key);
    await waitFor(() => expect(given.length).toBe(before + 1));
  };
  return { given, give, press, told };
}

test.each([2, 3, 5])('%d keys in a row are all sent, and only the refusal of the last one is said', async (count) => {
  const { given, give } = askForKey();
  const keys = Array.from({ length: count }, (_, index) => `key ${index}`);
  for (const key of keys) await give(key);
  expect(given.map(({ key }) => key)).toEqual(keys);

  for (const { answer } of given.slice(0, -1)) answer(401);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.queryByText('The service does not know this key')).toBeNull();

  given.at(-1)?.answer(401);
  await screen.findByText('The service does not know this key');
});

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

test.each([200, 401])('an older key that is right opens nothing once a newer one was given: %i', async (status) => {
  const { given, give, told } = askForKey();
  await give('old');
  await give('new');
  given[1]?.answer(status);
  await soon();
  given[0]?.answer(200);
  await soon();
  expect(told).toEqual(status === 200 ? ['changed'] : []);
});

test('a key is sent when the one before has been given up: the session of the last one is left', async () => {
  const { given, give, press } = askForKey();
  await give('old');
  press('middle');
  press('new');
  await waitFor(() => expect(given.map(({ key }) => key)).toEqual(['old', 'new']));
});

test('pressing twice sends a key once', async () => {
  const { given, press } = askForKey();
  press('key');
  press('key');
  await soon();
  expect(given).toHaveLength(1);
  given[0]?.answer(401);
  await screen.findByText('The service does not know this key');
  press('key');
  await waitFor(() => expect(given).toHaveLength(2));
});

test('where keys come from is said: a link of this machine, its state folder, whoever runs the service', () => {
  askForKey();
  const ways = screen
    .getAllByRole('term')
    .map(({ textContent, nextElementSibling: words }) => [
      textContent,
      words?.textContent,
      [...(words?.querySelectorAll('code') ?? [])].map((code) => code.textContent),
    ]);
  expect(ways).toEqual([
    ['By link', expect.stringContaining('a link that needs no key'), ['npx spoor']],
    ['This machine', expect.stringContaining('The key is in'), ['server.json', '~/.spoor']],
    ['Another machine', expect.stringContaining('Whoever runs the service makes one'), ['spoor keys create']],
  ]);
});

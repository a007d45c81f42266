// @vitest-environment happy-dom
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
  vi.stubGlobal('fetch', (_: string, { body }: { readonly body: string }) => {
    const { api_key: key } = JSON.parse(body) as { api_key: string };
    return new Promise<Response>((resolve) => {
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
  const give = async (key: string) => {
    const before = given.length;
    fireEvent.change(field, { target: { value: key } });
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
    await waitFor(() => expect(given.length).toBe(before + 1));
  };
  return { given, give };
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

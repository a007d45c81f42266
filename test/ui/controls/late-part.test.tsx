import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { lateLine, latePart } from '../../../src/ui/controls/late-part.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

interface Named {
  readonly name: string;
}

const Greeting = ({ name }: Named) => <p>Hello {name}</p>;

test('what stands meanwhile is there until the code is, and then the part at once', async () => {
  // A boundary of React would wait for a timer.
  vi.useFakeTimers();
  let arrive: (code: typeof Greeting) => void = () => undefined;
  const code = new Promise<typeof Greeting>((resolve) => (arrive = resolve));
  const Late = latePart(
    () => code,
    ({ name }: Named) => <p>{name} is on its way</p>,
  );
  const { container } = render(<Late name="Ada" />);
  expect(container.textContent).toBe('Ada is on its way');
  await act(async () => arrive(Greeting));
  expect(container.textContent).toBe('Hello Ada');
});

test('what was loaded ahead is there with the first render, and is loaded once', async () => {
  let loads = 0;
  const Late = latePart(async () => {
    loads += 1;
    return Greeting;
  });
  Late.load();
  await Promise.resolve();
  expect(render(<Late name="Ada" />).container.textContent).toBe('Hello Ada');
  expect(render(<Late name="Grace" />).container.textContent).toBe('Hello Grace');
  expect(loads).toBe(1);
});

test('code that cannot be loaded is told in plain words, and the page around it stays', async () => {
  const Late = latePart<Named>(() => Promise.reject(new TypeError('Failed to fetch')));
  const { container, findByText } = render(
    <main>
      <h1>Calls</h1>
      <Late name="Ada" />
    </main>,
  );
  await findByText(/could not be loaded: the service does not answer, or is another version by now$/);
  expect(container.textContent).not.toContain('Failed to fetch');
  expect(container.querySelector('h1')?.textContent).toBe('Calls');
  expect(container.querySelectorAll('button')).toHaveLength(2);
});

test('code that could not be loaded comes when it is asked for again', async () => {
  let isAway = true;
  const Late = latePart<Named>(() =>
    isAway ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(Greeting),
  );
  const { findByText, findByRole } = render(<Late name="Ada" />);
  const retry = await findByRole('button', { name: 'Retry' });
  isAway = false;
  fireEvent.click(retry);
  expect(await findByText('Hello Ada')).toBeTruthy();
});

test('in a foot or a pane it is told in a line, with the reason for who points at it', async () => {
  let isAway = true;
  const Late = lateLine<Named>(() =>
    isAway ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(Greeting),
  );
  const { container, findByText, findByRole } = render(<Late name="Ada" />);
  const retry = await findByRole('button', { name: 'Retry' });
  const told = await findByRole('alert');
  expect(told.textContent).toBe('Could not be loadedRetry');
  expect(told.title).toBe('the service does not answer, or is another version by now');
  // Lines lie in lines, where no block may.
  expect(container.querySelector('div div')).toBeNull();
  isAway = false;
  fireEvent.click(retry);
  expect(await findByText('Hello Ada')).toBeTruthy();
});

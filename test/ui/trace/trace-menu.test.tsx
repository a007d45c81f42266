import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorksFoot } from '../../../src/ui/calls/works-foot.tsx';
import type { Session } from '../../../src/ui/data/answers.ts';
import { TraceMenu } from '../../../src/ui/trace/trace-menu.tsx';
import { VisitorPlaces } from '../../../src/ui/visitor-places.tsx';

const PROJECT = 'local/app';
const nothing = (): void => undefined;

beforeEach(() => {
  for (const name of ['showPopover', 'hidePopover'])
    Object.defineProperty(HTMLElement.prototype, name, { value: nothing, configurable: true });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The service sends a part, and then the rest once it is told to. */
function heldTrace() {
  let finish: () => void = nothing;
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(2048));
        finish = () => controller.close();
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(nothing);
  return {
    saved: vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:saved'),
    finish: () => act(async () => finish()),
  };
}

const pageOf = (visitor: string) => (
  <QueryClientProvider client={new QueryClient()}>
    <VisitorPlaces session={{ user_id: visitor, entities: [visitor] } as unknown as Session}>
      <TraceMenu project={PROJECT} traceId="t" />
      <WorksFoot project={PROJECT} />
    </VisitorPlaces>
  </QueryClientProvider>
);

async function begin(): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: /^Copy as/ }));
  fireEvent.click(screen.getByRole('menuitem', { name: 'Save as one HTML file' }));
  await screen.findByText(/2\.\d kB/);
}

test('saving a trace says how far it is, and when it is done', async () => {
  const { saved, finish } = heldTrace();
  render(pageOf('anna'));
  await begin();
  expect(saved).not.toHaveBeenCalled();
  await finish();
  await screen.findByText('Trace saved');
  expect(saved).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('region', { name: 'Under way' })).toBeNull();
});

test('it can be stopped', async () => {
  const { saved } = heldTrace();
  render(pageOf('anna'));
  await begin();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel: Saving the trace' }));
  await screen.findByText('Saving stopped');
  expect(saved).not.toHaveBeenCalled();
});

test('it stops when somebody else is at the page', async () => {
  const { saved } = heldTrace();
  const { rerender } = render(pageOf('anna'));
  await begin();
  rerender(pageOf('ben'));
  await act(async () => undefined);
  expect(screen.queryByRole('region', { name: 'Under way' })).toBeNull();
  expect(saved).not.toHaveBeenCalled();
});

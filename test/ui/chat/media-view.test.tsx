import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { MediaView } from '../../../src/ui/chat/media-view.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test.each([
  [{ mediaType: 'image/png', name: 'cat.png' }, 'cat.png'],
  [{ mediaType: 'application/pdf' }, 'message.pdf'],
  [{ mediaType: 'image/*' }, 'message'],
  [{}, 'message'],
])('bytes within a message can be saved: %j as %j', (about, saved) => {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  render(
    <MediaView
      part={{
        type: 'media',
        mediaType: undefined,
        name: undefined,
        ...about,
        source: { from: 'base64', data: 'aW1hZ2U=' },
      }}
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'download' }));
  expect(names).toEqual([saved]);
});

test('of bytes that cannot be read there is nothing to save', () => {
  render(
    <MediaView
      part={{ type: 'media', mediaType: undefined, name: undefined, source: { from: 'base64', data: '…' } }}
    />,
  );
  expect(screen.queryByRole('button')).toBeNull();
});

import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { type ContentSource, ContentSourceContext } from '../../../src/ui/json/content-source.ts';
import { StoredFile } from '../../../src/ui/json/stored-file-view.tsx';

afterEach(cleanup);

test.each([
  ['could not be loaded', () => Promise.reject(new Error('gone'))],
  ['is not kept here', () => Promise.resolve(undefined)],
] satisfies [string, ContentSource['readFile']][])(
  'a file that %s says so when it is asked for',
  async (words, readFile) => {
    const file = { digest: 'd', name: 'a.bin', mediaType: 'application/octet-stream', size: 10 };
    const marker = { ...file, characters: undefined, className: undefined, preview: undefined };
    render(
      <ContentSourceContext value={{ readFile, hrefOfRef: () => undefined }}>
        <StoredFile marker={marker} />
      </ContentSourceContext>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'download' }));
    expect(await screen.findByText(words)).toBeTruthy();
  },
);

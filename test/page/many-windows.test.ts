import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { servedPages } from './served-pages.ts';

/** A browser has six connections for one service. */
const WINDOWS = 8;

describe.skipIf(!hasBrowser)('many windows of one browser', () => {
  const pages = servedPages({ project: 'local/windows', seed: (reader) => write(reader, 'was there') });

  test('show and follow the calls of a project, also when the one that was opened first is closed', async () => {
    const first = await pages.open();
    const streams: string[] = [];
    first.context().on('request', (request) => {
      if (request.url().includes('/x/calls/changes')) streams.push(request.url());
    });
    await first.reload();
    await first.getByText('was there').waitFor();
    const open: Page[] = [first];
    while (open.length < WINDOWS) {
      const page = await pages.windows.openBeside(first);
      open.push(page);
      await page.goto(first.url());
      await page.getByText('was there').waitFor();
    }
    await write(pages.reader, 'for all');
    for (const page of open) await page.getByText('for all').waitFor();
    expect(streams).toHaveLength(1);

    await first.close();
    await write(pages.reader, 'without the first');
    for (const page of open.slice(1)) await page.getByText('without the first').waitFor();
    await expect.poll(() => streams).toHaveLength(2);
  });
});

async function write(reader: Reader, question: string): Promise<void> {
  const start = { op_name: 'answer', started_at: new Date().toISOString(), inputs: { question } };
  await reader.calls.write([{ mode: 'start', req: { start } }]);
}

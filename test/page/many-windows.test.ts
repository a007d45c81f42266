import type { BrowserContext, Page, Request } from 'playwright-core';
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
    const following = windowsThatFollow(first.context());
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
    expect(following()).toEqual([first]);

    await first.close();
    const others = open.slice(1);
    await write(pages.reader, 'without the first');
    for (const page of others) await page.getByText('without the first').waitFor();
    await expect.poll(() => following()).toHaveLength(1);
    expect(others).toContain(following()[0]);
  });
});

/** The windows that have a connection for changes now. One that is read again ends what it had. */
function windowsThatFollow(context: BrowserContext): () => readonly Page[] {
  const open = new Set<Request>();
  const end = (request: Request) => open.delete(request);
  context.on('requestfailed', end).on('requestfinished', end);
  context.on('request', (request) => {
    if (request.url().includes('/x/calls/changes')) open.add(request);
  });
  return () => [...open].map((request) => request.frame().page()).filter((page) => !page.isClosed());
}

async function write(reader: Reader, question: string): Promise<void> {
  const start = { op_name: 'answer', started_at: new Date().toISOString(), inputs: { question } };
  await reader.calls.write([{ mode: 'start', req: { start } }]);
}

import type { Page } from 'playwright-core';
import { createReader, type Reader } from 'spoor/reader';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeHome, type ServiceProcess, startServiceProcess } from '../flow/service-process.ts';
import { hasBrowser } from './browser.ts';
import { windowsPerTest } from './windows.ts';

const PROJECT = 'local/windows';
/** A browser has six connections for one service. */
const WINDOWS = 8;

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

describe.skipIf(!hasBrowser)('many windows of one browser', () => {
  const windows = windowsPerTest();
  const home = makeHome();
  let service: ServiceProcess;
  let reader: Reader;

  beforeAll(async () => {
    service = await startServiceProcess(home.home);
    reader = createReader({ ...service, project: PROJECT });
    await write('was there');
  });
  afterAll(async () => {
    await service?.stop();
    home.remove();
  });

  test('show and follow the calls of a project, also when the one that was opened first is closed', async () => {
    const first = await windows.open({ origin: service.url });
    const streams: string[] = [];
    first.context().on('request', (request) => {
      if (request.url().includes('/x/calls/changes')) streams.push(request.url());
    });
    const { token } = await reader.page.session.createToken();
    await first.goto(`${service.url}/ui/login#token=${token}`);
    await first.getByText('was there').waitFor();
    const pages: Page[] = [first];
    while (pages.length < WINDOWS) {
      const page = await windows.openBeside(first);
      pages.push(page);
      await page.goto(first.url());
      await page.getByText('was there').waitFor();
    }
    await write('for all');
    for (const page of pages) await page.getByText('for all').waitFor();
    expect(streams).toHaveLength(1);

    await first.close();
    await write('without the first');
    for (const page of pages.slice(1)) await page.getByText('without the first').waitFor();
    await expect.poll(() => streams).toHaveLength(2);
  });

  async function write(question: string): Promise<void> {
    const start = { op_name: 'answer', started_at: new Date().toISOString(), inputs: { question } };
    await reader.calls.write([{ mode: 'start', req: { start } }]);
  }
});

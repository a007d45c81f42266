import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReader } from '../../src/reader/reader.ts';
import { buildOnce } from '../build.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from '../flow/service-process.ts';
import { hasBrowser, logIn, openBrowser, openPage } from './browser.ts';

const PROJECT = 'acme/shop';
const HOSTILE = '<img src=x onerror="document.title=\'taken\'">';
const TRACE = '01900000000070008000000000000001';

describe.skipIf(!hasBrowser)('the page in a browser (skipped where there is no Chromium)', () => {
  const { home, remove } = makeHome();
  let service: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    await buildOnce();
    service = await startServiceProcess(home);
    browser = await openBrowser();
    await record(service);
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await service.stop();
    remove();
  });

  test('a first trace appears without a reload, and its error is found', async () => {
    const own = makeHome();
    const empty = await startServiceProcess(own.home);
    try {
      const { page, errors, foreign } = await openPage(browser, empty);
      await logIn(page, empty);
      await page.getByText('listening', { exact: false }).first().waitFor();

      await record(empty);
      const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'answer_ticket' });
      await row.getByText('Where is my parcel?').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/ui/${PROJECT}/calls`);

      await row.click();
      const open = { name: /Open trace/ };
      await page.getByRole('link', open).or(page.getByRole('button', open)).click();
      await page.waitForURL(`**/trace/${TRACE}**`);
      await page.getByRole('treegrid').getByRole('row').filter({ hasText: 'send_email' }).click();
      await page.getByText('550 mailbox unavailable').first().waitFor();
      expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
      await page.context().close();
    } finally {
      await empty.stop();
      own.remove();
    }
  });

  test('what a program recorded is shown as text, whatever it is', async () => {
    const { page, errors, foreign } = await openPage(browser, service);
    await logIn(page, service);
    await page.goto(`${service.url}/ui/${PROJECT}/trace/${TRACE}?call=hostile`);
    await page.getByText(HOSTILE).first().waitFor();
    expect(await page.title()).not.toBe('taken');
    expect(await page.locator('img').count()).toBe(0);
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
    await page.context().close();
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('%s at %d: nothing is wider than the page', async (colorScheme, width) => {
    const { page, errors } = await openPage(browser, service, { colorScheme, width });
    await logIn(page, service);
    await page.goto(`${service.url}/ui/${PROJECT}/calls`);
    await page.getByText('answer_ticket').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a page without a session asks for a key, and takes it', async () => {
    const { page } = await openPage(browser, service);
    await page.goto(`${service.url}/ui/${PROJECT}/calls`);
    const key = page.getByLabel(/key/i).first();
    await key.fill('not a key');
    await page.keyboard.press('Enter');
    expect(await page.getByText('answer_ticket').count()).toBe(0);
    await key.fill(service.apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('answer_ticket').first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/ui/${PROJECT}/calls`);
    await page.context().close();
  });
});

/** A trace with a failed tool, and a call whose every field is hostile. */
async function record({ url, apiKey }: ServiceProcess): Promise<void> {
  const reader = createReader({ url, apiKey, project: PROJECT });
  const now = Date.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  const start = (id: string, op_name: string, parent_id?: string, inputs: Record<string, unknown> = {}) => ({
    mode: 'start' as const,
    req: { start: { id, op_name, trace_id: TRACE, parent_id: parent_id ?? null, started_at: at(0), inputs } },
  });
  const end = (id: string, output: unknown, exception: string | null = null) => ({
    mode: 'end' as const,
    req: { end: { id, ended_at: at(40), output, exception, summary: {} } },
  });
  await reader.calls.write([
    start('root', 'answer_ticket', undefined, { question: 'Where is my parcel?' }),
    start('mail', 'send_email', 'root', { to: 'a@b' }),
    start('hostile', HOSTILE, 'root', { [HOSTILE]: HOSTILE }),
    end('mail', null, 'SMTPError: 550 mailbox unavailable\n    at send_email (tools.ts:94:3)'),
    end('hostile', HOSTILE),
    end('root', null, 'SMTPError: 550 mailbox unavailable'),
  ]);
}

import { createReader, type Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { makeHome, startServiceProcess } from '../flow/service-process.ts';
import { hasBrowser } from '../page/browser.ts';
import { packedProgram } from '../page/packed-program.ts';
import { servedPages } from '../page/served-pages.ts';

const PROJECT = 'acme/shop';
const HOSTILE = '<img src=x onerror="document.title=\'taken\'">';
const TRACE = '01900000000070008000000000000001';

describe.skipIf(!hasBrowser)('the page in a browser (skipped where there is no Chromium)', () => {
  const pages = servedPages({ project: PROJECT, seed: record });

  test('a first trace appears without a reload, and its error is found', async () => {
    const own = makeHome();
    const empty = await startServiceProcess(own.home, [], { program: packedProgram() });
    try {
      const reader = createReader({ url: empty.url, apiKey: empty.apiKey, project: PROJECT });
      const page = await pages.windows.open({ origin: empty.url });
      const { token } = await reader.page.session.createToken();
      await page.goto(`${empty.url}/ui/login#token=${token}`);
      await page.getByText('listening', { exact: false }).first().waitFor();

      await record(reader);
      const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'answer_ticket' });
      await row.getByText('Where is my parcel?').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/ui/${PROJECT}/calls`);

      await row.click();
      const open = { name: /Open trace/ };
      await page.getByRole('link', open).or(page.getByRole('button', open)).click();
      await page.waitForURL(`**/trace/${TRACE}**`);
      await page.getByRole('treegrid').getByRole('row').filter({ hasText: 'send_email' }).click();
      await page.getByText('550 mailbox unavailable').first().waitFor();
      // A page whose service is gone says so.
      await page.close();
    } finally {
      await empty.stop();
      own.remove();
    }
  });

  test('what a program recorded is shown as text, whatever it is', async () => {
    const page = await pages.openAt(`/trace/${TRACE}?call=hostile`);
    await page.getByText(HOSTILE).first().waitFor();
    expect(await page.title()).not.toBe('taken');
    expect(await page.locator('img').count()).toBe(0);
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('%s at %d: nothing is wider than the page', async (colorScheme, width) => {
    const page = await pages.open({ width });
    await page.emulateMedia({ colorScheme });
    await page.getByText('answer_ticket').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  test('a page without a session asks for a key, and takes it', async () => {
    const page = await pages.windows.open({ origin: pages.service.url });
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls`);
    const key = page.getByLabel(/key/i).first();
    await key.fill('not a key');
    await page.keyboard.press('Enter');
    expect(await page.getByText('answer_ticket').count()).toBe(0);
    await key.fill(pages.service.apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('answer_ticket').first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/ui/${PROJECT}/calls`);
  });
});

/** A trace with a failed tool, and a call whose every field is hostile. */
async function record(reader: Reader): Promise<void> {
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

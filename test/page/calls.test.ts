import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { beforeEach, describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { seed } from '../../examples/seeds/day.ts';
import { servedPages } from './served-pages.ts';

const PROJECT = 'local/support-agent';

describe.skipIf(!hasBrowser)('the page of calls, in a browser', () => {
  const pages = servedPages({
    project: PROJECT,
    args: ['--storage', 'memory'],
    seed: async (reader) => await seed(reader, { traces: 300, now: Date.now() }),
  });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
    await rowAt(2).waitFor();
  });

  /** Rows count from 1, which is the head. */
  const rowAt = (index: number) => page.locator(`[role=row][aria-rowindex="${index}"]`);
  /** Without how long a call has been running, which goes on. */
  const textOf = async (index: number) =>
    (await rowAt(index).innerText()).replaceAll(/[\d.]+ (?:µs|ms|s|m|h)(?: \d+ [sm])?…/g, '…');
  const countInFoot = async () =>
    Number(/([\d,]+)\s*calls/.exec(await page.locator('footer').innerText())?.[1]?.replace(',', ''));

  test('a link logs in, and its token leaves the address', () => {
    expect(page.url()).toBe(`${pages.service.url}/ui/${PROJECT}/calls`);
  });

  test('without a session the page asks for a key, and goes on where one wanted to be', async () => {
    await page.context().clearCookies();
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls?roots=0`);
    await page.getByLabel('Key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('does not know this key').waitFor();
    await page.getByLabel('Key').fill(pages.service.apiKey);
    await page.keyboard.press('Enter');
    await rowAt(2).waitFor();
    expect(page.url()).toContain('/calls?roots=0');
  });

  test('a call that begins is there without a reload', async () => {
    const id = await writeCall(pages.reader, 'arrives_live');
    await page.getByText('arrives_live').first().waitFor();
    await pages.reader.calls.delete([id]);
    await expect.poll(() => page.getByText('arrives_live').count()).toBe(0);
  });

  test('new calls wait while rows are selected', async () => {
    await page.keyboard.press('x');
    const before = await textOf(5);
    await writeCall(pages.reader, 'waits_for_me');
    await page.getByText('1 new').waitFor();
    expect(await textOf(5)).toBe(before);
    await page.getByText('1 new').click();
    await page.getByText('waits_for_me').first().waitFor();
  });

  test('a filter is written with suggestions, by keys alone', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('status:err');
    await page.getByRole('option', { name: /^error/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=status:error/);
    await page.getByText('SMTPError').first().waitFor();
    await expect.poll(() => page.locator('[role=row] >> text=/^ok$/').count(), { timeout: 10_000 }).toBe(0);
  });

  test('of a choice that only rows and only the service can answer, rows are shown that meet either', async () => {
    await page.goto(
      `${pages.service.url}/ui/${PROJECT}/calls?q=${encodeURIComponent('cost>1000 or op:classify_intent')}`,
    );
    await rowAt(2).waitFor();
    const opsShown = async () => {
      const rows = await page.locator('[role=row]:not([aria-rowindex="1"])').allInnerTexts();
      return [...new Set(rows.map((text) => /answer_\w+|classify_\w+/.exec(text)?.[0]))];
    };
    await expect.poll(opsShown, { timeout: 10_000 }).toEqual(['classify_intent']);
  });

  test('rows that nobody can judge are not said to be none', async () => {
    const askedById = '**/x/calls/rows';
    await page.route(askedById, async (route) => {
      const isById = route.request().postData()?.includes('"call_ids"') === true;
      await (isById ? route.abort('internetdisconnected') : route.continue());
    });
    await page.goto(
      `${pages.service.url}/ui/${PROJECT}/calls?q=${encodeURIComponent('cost>1000 or op:classify_intent')}`,
    );
    await page.getByText('Calls could not be read').waitFor();
    expect(await page.getByText('No call matches').count()).toBe(0);
    await page.unroute(askedById);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await rowAt(2).waitFor();
    expect(await page.getByText('Calls could not be read').count()).toBe(0);
  });

  test('Enter looks at a call, j at the next one, Escape goes back to the list, and back to the same rows', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sel=/);
    const first = page.url();
    await page.getByRole('complementary').getByText('Input').first().waitFor();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.search.includes('sel='));
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.waitForURL(/\/trace\//);
    await page.goBack();
    await rowAt(2).waitFor();
    expect(page.url()).toBe(`${pages.service.url}/ui/${PROJECT}/calls`);
  });

  test('what is deleted comes back by Undo, and is gone without', async () => {
    const row = await textOf(8);
    const count = await countInFoot();
    const remove = async () => {
      await rowAt(8).getByRole('checkbox').click();
      await page.keyboard.press('#');
      await expect.poll(async () => await textOf(8)).not.toBe(row);
    };
    await remove();
    await page.getByRole('button', { name: /Undo/ }).click();
    await expect.poll(async () => await textOf(8)).toBe(row);
    await remove();
    await expect.poll(countInFoot, { timeout: 15_000 }).toBe(count - 1);
  });

  test('the whole filtered set is exported, not the rows on screen', async () => {
    const count = await countInFoot();
    await page.keyboard.press('x');
    await page.keyboard.press('e');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(/^All .* as JSONL$/).click()]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(count);
    expect(download.suggestedFilename()).toBe('support-agent-calls.jsonl');
  });

  test('what a trace holds is text, whatever it says', async () => {
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls?roots=0&q=onerror`);
    await page.getByText('<img src=x onerror="alert(1)"> does not open').first().waitFor();
    expect(await page.locator('[role=row] img, [role=row] script').count()).toBe(0);
  });

  test('text that runs from right to left is cut at its end, and stands where the others do', async () => {
    const text = page.getByRole('grid').getByText('كيف يمكنني إرجاع الطلب', { exact: false }).first();
    await text.waitFor();
    const { direction, textAlign } = await text.evaluate((element) =>
      element.ownerDocument.defaultView.getComputedStyle(element),
    );
    expect({ direction, textAlign }).toEqual({ direction: 'rtl', textAlign: 'left' });
  });

  test('a service that is gone leaves what was shown, and is found again', async () => {
    const row = await textOf(5);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText(/Service gone since/).waitFor({ timeout: 9000 });
    await page.getByRole('button', { name: 'Roots', exact: true }).click();
    expect(await textOf(5)).toBe(row);
    await page.context().setOffline(false);
    await page.getByText(/Service gone since/).waitFor({ state: 'detached' });
  });
});

async function writeCall(reader: Reader, op: string): Promise<string> {
  const [answer] = await reader.calls.write([
    {
      mode: 'start',
      req: { start: { op_name: op, started_at: new Date().toISOString(), attributes: {}, inputs: { by: 'test' } } },
    },
  ]);
  return (answer as { id: string }).id;
}

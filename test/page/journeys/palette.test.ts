import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { formatCallRef } from '../../../src/protocol/ref.ts';
import { hasBrowser } from '../browser.ts';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { servedPages } from '../served-pages.ts';

const PROJECT = 'local/palette';
const TRACE = '0197c0ffee00700080000000000000aa';
const CALL = 'call-of-a-refund';

describe.skipIf(!hasBrowser)('by what one types', () => {
  const pages = servedPages({ project: PROJECT, seed, args: ['--storage', 'memory'] });

  async function openPalette(text: string): Promise<Page> {
    const page = await pages.open();
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Jump to' }).fill(text);
    return page;
  }
  const chosen = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true });

  test.each([
    ['settings', /\/ui\/settings$/],
    ['threads', /\/local\/palette\/threads$/],
  ])('the page %s is opened', async (text, address) => {
    const page = await openPalette(text);
    await chosen(page)
      .filter({ hasText: new RegExp(text, 'i') })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a view, an op and a call are opened, by the mouse and by keys', async () => {
    const page = await openPalette('only refunds');
    await page.getByRole('option', { name: 'only refunds' }).click();
    await page.waitForURL(/q=op:refund/);
    await expect.poll(() => rowTexts(page)).toEqual([expect.stringContaining('refund')]);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('send_ma');
    await chosen(page).filter({ hasText: 'send_mail' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=op:send_mail/);
    await expect.poll(async () => (await rowTexts(page)).length).toBe(2);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('broken kettle');
    await chosen(page).filter({ hasText: 'broken kettle' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(`/trace/${TRACE}`));
  });

  test('what is typed before the box is there is for the box, and not for the page', async () => {
    const page = await pages.open();
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    let arrive = (): void => undefined;
    const isAsked = new Promise<void>((asked) => {
      void page.route(/jump-box-[^/]*\.js$/, async (route) => {
        asked();
        await new Promise<void>((resolve) => (arrive = resolve));
        await route.continue();
      });
    });
    const theme = await page.locator('html').getAttribute('data-theme');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('settingx');
    await page.keyboard.press('Backspace');
    await isAsked;
    arrive();
    await chosen(page).filter({ hasText: 'Settings' }).waitFor();
    await page.keyboard.type('s');
    expect(await page.getByRole('combobox', { name: 'Jump to' }).inputValue()).toBe('settings');
    // Keys of the list behind it: one selects, one changes the theme.
    expect(await page.locator('html').getAttribute('data-theme')).toBe(theme);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  });

  test.each([
    ['a trace', TRACE, null],
    ['a call', CALL, CALL],
  ])('%s is opened by its id', async (_name, id, call) => {
    const page = await openPalette(` ${id} `);
    await chosen(page)
      .filter({ hasText: call === null ? `Open trace ${TRACE}` : 'refund' })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(`/trace/${TRACE}`));
    expect(new URL(page.url()).searchParams.get('call')).toBe(call);
    await page.getByRole('treegrid').getByRole('row').filter({ hasText: 'refund' }).waitFor();
  });

  test('a call is opened by its reference', async () => {
    const page = await openPalette(formatCallRef(PROJECT, CALL));
    await chosen(page).filter({ hasText: CALL }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').getByRole('heading', { name: 'refund' }).waitFor();
    expect(new URL(page.url()).searchParams.get('sel')).toBe(CALL);
  });

  test('an id that is nowhere is said to be nowhere, and leads nowhere', async () => {
    const page = await openPalette('0197c0ffee00700080000000000000bb');
    await page.getByText('no call or trace here has this id').waitFor();
    const before = page.url();
    await page.keyboard.press('Enter');
    expect(page.url()).toBe(before);
    expect(await page.getByRole('option').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('values of a filter are suggested with as many calls as the list then has', async () => {
    const page = await pages.openAt('/calls?roots=0');
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    expect(await suggestedFor(page, 'op:')).toEqual({ answer: '3', chat: '3', refund: '1', send_mail: '2' });
    expect(await suggestedFor(page, 'status:')).toMatchObject({ ok: '7', error: '2' });
    for (const [term, count] of [
      ['op:send_mail', 2],
      ['status:error', 2],
    ] as const) {
      await page.getByRole('combobox', { name: 'Filter' }).fill(term);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await rowTexts(page)).length).toBe(count);
    }
  });

  test('of outermost calls those are counted, and what is only inside of them is said to be there', async () => {
    const page = await pages.open();
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    expect(await suggestedFor(page, 'op:')).toEqual({
      answer: '3',
      refund: '1',
      chat: '3 inside other calls',
      send_mail: '2 inside other calls',
    });
    await page.getByRole('combobox', { name: 'Filter' }).fill('op:chat');
    await page.keyboard.press('Enter');
    await page.getByText('3 match that are inside of other calls.').waitFor();
    await page.getByRole('button', { name: 'Search all calls' }).click();
    await expect.poll(async () => (await rowTexts(page)).length).toBe(3);
  });
});

async function rowTexts(page: Page): Promise<readonly string[]> {
  return await page.locator('[role=grid] [role=row]:not([aria-rowindex="1"])').allInnerTexts();
}

/** The values with what stands behind them. */
async function suggestedFor(page: Page, text: string): Promise<Readonly<Record<string, string>>> {
  await page.getByRole('combobox', { name: 'Filter' }).fill(text);
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  const shown = async () => await options.evaluateAll((all) => all.map((each) => each.innerText.split('\n')));
  await expect.poll(async () => (await shown()).some(([, fact = '']) => /^\d/.test(fact))).toBe(true);
  await page.waitForLoadState('networkidle');
  return Object.fromEntries((await shown()).map(([label = '', fact = '']) => [label, fact]));
}

async function seed(reader: Reader): Promise<void> {
  const now = Date.now();
  const chat: Plan = { ...step('chat'), kind: 'llm' };
  const mail = step('send_mail');
  const failed = { ...mail, exception: 'SMTPError: 550 mailbox unavailable' };
  const plans: Plan[] = [
    { ...step('answer'), calls: [chat] },
    { ...step('answer'), calls: [chat, mail] },
    { ...step('answer'), exception: 'SMTPError: 550 mailbox unavailable', calls: [chat, failed] },
  ];
  const traces = plans.map((plan, index) => recordsOf(plan, now - index * 60_000, { traceId: randomUUID() }));
  const refund = { ...step('refund'), id: CALL, inputs: { message: 'A broken kettle' } };
  await writeRecords(reader, [...traces.flat(), ...recordsOf(refund, now - 500_000, { traceId: TRACE })]);
  await reader.page.views.save({ name: 'only refunds', query: 'q=op:refund&roots=0' });
}

function step(op: string): Plan {
  return { op, kind: 'other', fromMs: 0, ms: 90, inputs: { of: op }, output: null };
}

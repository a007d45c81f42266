import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { hasBrowser } from '../browser.ts';
import { servedPages } from '../served-pages.ts';

const PROJECT = 'local/why';
const CALLS = 60;
/** The newest ones failed, all of them in one region. */
const FAILED = 20;
/** Of these, so many have a text that would tell if it were more than text. 198.51.100.1 is nobody's address. */
const MARKED = 12;
const HOSTILE = '"><img src=//198.51.100.1 onerror=alert(1)><script>taken=1</script>';

describe.skipIf(!hasBrowser)('what is different', () => {
  const pages = servedPages({ project: PROJECT, seed, args: ['--storage', 'memory'] });

  test('is said by mouse, survives a reload, and what is clicked is added to the filter', async () => {
    const page = await openCalls('?q=status:error');
    await button(page).click();
    await trait(page, 'attr.region = eu-3').waitFor();
    expect(await trait(page, 'attr.region = eu-3').innerText()).toMatch(/\+100\spt[^]*100%[^]*20 of 20[^]*0%/);
    await page.getByText(`${FAILED} calls of the filter`).waitFor();
    await page.getByText(`${CALLS - FAILED} others of this time`).waitFor();
    await page.reload();
    await trait(page, 'attr.region = eu-3').waitFor();
    await trait(page, 'attr.region = eu-3').click();
    await expect.poll(() => queryOf(page)).toMatchObject({ q: 'status:error attr.region:eu-3', why: '1' });
    await page.getByText('others of this time').waitFor();
    await page.goBack();
    await expect.poll(() => queryOf(page)).toEqual({ q: 'status:error', why: '1' });
    // The list of the address, and no more the one before it.
    await expect.poll(() => page.getByRole('combobox', { name: 'Filter' }).inputValue()).toBe('status:error');
    // A call stands before it for as long as it is looked at.
    await rowAt(page, 2).click();
    await page.getByRole('complementary', { name: 'Selected call' }).waitFor();
    expect(await panel(page).count()).toBe(0);
    await page.keyboard.press('Escape');
    await trait(page, 'attr.region = eu-3').waitFor();
    await panel(page).getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => queryOf(page)).toEqual({ q: 'status:error' });
    expect(await panel(page).count()).toBe(0);
  });

  test('is said by keys alone, and the focus goes along and comes back', async () => {
    const page = await openCalls('?q=status:error');
    await page.keyboard.press('w');
    await expect.poll(() => focused(page)).toContain('attr.region = eu-3');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toContain('attr.zone = ');
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page)['q']).toMatch(/^status:error attr\.zone:/);
    await expect.poll(() => rowCount(page)).toBe(MARKED);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("role")')).toBe('row');
    expect(await panel(page).count()).toBe(0);
    await page.keyboard.press('w');
    await panel(page).waitFor();
    await page.keyboard.press('w');
    await panel(page).waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('What is different?').waitFor();
  });

  test('is said of selected calls, which the address names for whoever gets it', async () => {
    const page = await openCalls();
    await rowAt(page, 2).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    for (let presses = 0; presses < MARKED; presses++) await page.keyboard.press('j');
    await page.keyboard.press('X');
    await page.getByText(`${MARKED + 1} selected`).waitFor();
    await page
      .getByRole('button', { name: /^What is different\?/ })
      .last()
      .click();
    await trait(page, 'attr.region = eu-3').waitFor();
    await panel(page)
      .getByText(`${CALLS - MARKED - 1} others of the list`)
      .waitFor();
    expect(queryOf(page)['of']?.split(',')).toHaveLength(MARKED + 1);
    const other = await pages.windows.openBeside(page);
    await other.goto(page.url());
    await trait(other, 'attr.region = eu-3').waitFor();
    await panel(other)
      .getByText(`${MARKED + 1} selected`)
      .waitFor();
    // The panel goes first, then what is selected.
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await page.getByText(`${MARKED + 1} selected`).waitFor();
  });

  test('is said on a phone, over the list, which then has what was asked for', async () => {
    const page = await openCalls('?q=status:error', { width: 390, hasTouch: true });
    await button(page).tap();
    await trait(page, 'attr.region = eu-3').waitFor();
    const box = await panel(page).boundingBox();
    expect(box).toMatchObject({ x: 0, width: 390 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await trait(page, 'attr.zone').tap();
    await panel(page).waitFor({ state: 'detached' });
    await expect.poll(() => queryOf(page)['q']).toMatch(/^status:error attr\.zone:/);
    await expect.poll(() => rowCount(page)).toBe(MARKED);
  });

  test('says texts of calls as texts, whatever they hold', async () => {
    const page = await openCalls('?q=status:error&why=1');
    expect(await trait(page, 'attr.zone').innerText()).toContain(HOSTILE);
    expect(await page.evaluate("'taken' in globalThis")).toBe(false);
    expect(await page.locator('[onerror], [src*="198.51"]').count()).toBe(0);
  });

  test('asks for calls where none are meant, and leaves the focus to who writes a filter', async () => {
    const page = await openCalls();
    await page.keyboard.press('w');
    await page.getByText(/^Write a filter, or select calls/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('status:error ');
    await trait(page, 'attr.region = eu-3').waitFor();
    // Whoever writes goes on to write.
    expect(await page.evaluate('document.activeElement?.getAttribute("role")')).toBe('combobox');
  });

  async function openCalls(query = '', options: Parameters<typeof pages.openAt>[1] = {}): Promise<Page> {
    const page = await pages.openAt(`/calls${query}`, options);
    await rowAt(page, 2).waitFor();
    return page;
  }
});

const button = (page: Page) => page.getByRole('button', { name: 'What is different?', exact: true });
const panel = (page: Page) => page.getByRole('complementary', { name: 'What is different?' });
const trait = (page: Page, words: string) => panel(page).getByRole('listitem').filter({ hasText: words }).first();
const rowAt = (page: Page, index: number) => page.locator(`[role=row][aria-rowindex="${index}"]`);

function queryOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams);
}

async function focused(page: Page): Promise<string> {
  return await page.evaluate<string>('document.activeElement?.textContent ?? ""');
}

async function rowCount(page: Page): Promise<number> {
  return Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
}

async function seed(reader: Reader): Promise<void> {
  const began = Date.now() - 60_000;
  const records = Array.from({ length: CALLS }, (_, index) => recordsOf(planOf(index), began - index * 60_000));
  await writeRecords(reader, records.flat());
}

function planOf(index: number): Plan {
  const hasFailed = index < FAILED;
  const zone = index < MARKED ? HOSTILE : `zone-${index % 4}`;
  return {
    op: 'answer',
    kind: 'agent',
    fromMs: 0,
    ms: 900,
    inputs: { question: `number ${index}` },
    attributes: { region: hasFailed ? 'eu-3' : 'us-1', zone },
    ...(hasFailed ? { exception: 'TimeoutError: late' } : { output: 'done' }),
  };
}

import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { servedPages } from './served-pages.ts';

/** More than are kept of a list that one scrolls through. */
const CALLS = 5400;
const BATCH = 500;
const ROW_PX = 28;
const IN_SIGHT = 20;
const STEP = 170;
/** Of pages that are kept, and of the one that is on its way. */
const MOST_KEPT = 4400;

describe.skipIf(!hasBrowser)('a list that is longer than what is kept of it', () => {
  const pages = servedPages({ project: 'local/long', seed: write });

  test('has every row where it belongs, down to its end and back, and keeps a part of them', async () => {
    const page = await pages.open();
    await at(page, 0);
    for (let first = 0; first < CALLS - IN_SIGHT; first += STEP) await at(page, first);
    await at(page, CALLS - IN_SIGHT);
    expect(await keptOf(page)).toBeLessThan(MOST_KEPT);
    for (let first = CALLS - IN_SIGHT; first > 0; first -= STEP) await at(page, first);
    await at(page, 0);
    expect(await keptOf(page)).toBeLessThan(MOST_KEPT);
  });

  test('is no other in another order', async () => {
    const page = await pages.open();
    await page.goto(`${pages.service.url}/ui/local/long/calls?sort=started`);
    const last = CALLS - IN_SIGHT;
    for (let first = 0; first < last; first += STEP) await at(page, first, OLDEST_FIRST);
    await at(page, last, OLDEST_FIRST);
    expect(await keptOf(page)).toBeLessThan(MOST_KEPT);
    for (let first = last; first > last - 2000; first -= STEP) await at(page, first, OLDEST_FIRST);
    await at(page, 300, OLDEST_FIRST);
    await at(page, 0, OLDEST_FIRST);
    expect(await keptOf(page)).toBeLessThan(MOST_KEPT);
  });

  test('goes straight to rows that were left, and says what came meanwhile', async () => {
    const page = await pages.open();
    for (let first = 0; first < CALLS - IN_SIGHT; first += STEP) await at(page, first);
    await at(page, 12);
    await at(page, 300);
    await at(page, CALLS - 1700);
    await writeOne(pages.reader, 'came later');
    await page.getByText('1 new', { exact: true }).waitFor();
    await at(page, 40);
    await page.getByText('1 new', { exact: true }).click();
    await page.getByRole('grid').getByText('came later').waitFor();
    await at(page, 0, 1);
    expect(await page.getByText(/ new$/).count()).toBe(0);
  });

  test('goes to its first row by a key, which has the focus then', async () => {
    const page = await pages.open();
    const newer = await newerOf(page);
    const last = CALLS - 400;
    for (let first = 0; first < last; first += STEP) await at(page, first, newer);
    await at(page, last, newer);
    await page.getByText(`call ${CALLS - 1 - last - 3 + newer}`, { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.locator('[role=row][aria-rowindex="2"]:focus').waitFor();
    await at(page, 0, newer);
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=row][aria-rowindex="3"]:focus').waitFor();
    expect(await keptOf(page)).toBeLessThan(MOST_KEPT);
  });

  test('lets a row go that had the focus, without going back to it', async () => {
    const page = await pages.open();
    const newer = await newerOf(page);
    await at(page, 1, newer);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    for (let first = 0; first < CALLS - 400; first += STEP) await at(page, first, newer);
    const top = await page.locator('[role=rowgroup]').evaluate(({ scrollTop }) => scrollTop);
    expect(top).toBeGreaterThan((CALLS - 400 - STEP) * ROW_PX - 1);
  });
});

/** Calls that were written by other tests. */
async function newerOf(page: Page): Promise<number> {
  await page.locator('footer').getByText(/calls/).waitFor();
  return Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1 - CALLS;
}

const OLDEST_FIRST = 'oldest first';

/**
 * Scrolls so that a row is the first in sight, and waits until all rows in sight are there. `order`: the newest first with so many on top of
 * those that were written first, or the oldest first.
 */
async function at(page: Page, first: number, order: number | typeof OLDEST_FIRST = 0): Promise<void> {
  const newer = order === OLDEST_FIRST ? 0 : order;
  const numberAt = (row: number) => (order === OLDEST_FIRST ? row : CALLS - 1 - row + newer);
  const wanted = Array.from({ length: IN_SIGHT }, (_, index) => first + index).filter((row) => row >= newer);
  await expect
    .poll(async () => {
      // The list grows while one is at its end.
      await page.locator('[role=rowgroup]').evaluate((element, top) => element.scrollTo({ top }), first * ROW_PX);
      const shown = new Map(await page.evaluate<[number, string][]>(SHOWN));
      return wanted.filter((row) => row < CALLS && shown.get(row + 2) !== `call ${numberAt(row)}`);
    })
    .toEqual([]);
}

/** Rows by their number in the list, which is 2 for the first one. */
const SHOWN = `[...document.querySelectorAll('[role=row][aria-rowindex]')]
  .map((row) => [Number(row.getAttribute('aria-rowindex')), row.children[3]?.innerText ?? ''])`;

/** As many as can be selected are there. */
async function keptOf(page: Page): Promise<number> {
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click();
  const text = await page.getByText(/^\d+ selected$/).innerText();
  await page.getByRole('button', { name: /Clear the selection/ }).click();
  return Number.parseInt(text);
}

async function write(reader: Reader): Promise<void> {
  const began = Date.now() - 3_600_000;
  for (let from = 0; from < CALLS; from += BATCH) {
    const count = Math.min(BATCH, CALLS - from);
    await reader.calls.write(
      Array.from({ length: count }, (_, index) => item(`call ${from + index}`, began + from + index)),
    );
  }
}

async function writeOne(reader: Reader, question: string): Promise<void> {
  await reader.calls.write([item(question, Date.now())]);
}

function item(question: string, began: number) {
  const start = { op_name: 'answer', started_at: new Date(began).toISOString(), inputs: { question } };
  return { mode: 'start' as const, req: { start } };
}

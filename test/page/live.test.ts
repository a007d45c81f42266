import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { formatCallRef } from '../../src/protocol/ref.ts';
import { hasBrowser } from './browser.ts';
import { servedPages } from './served-pages.ts';

/** More than are kept of those that came, shown or waiting: a thousand each. */
const MANY = 2500;
const BATCH = 250;

describe.skipIf(!hasBrowser)('a list that more calls come to than are kept', () => {
  const pages = servedPages({ project: 'local/live', seed: (reader) => write(reader, 'before', 1) });

  test('shows all of them, each once and in its order, to who scrolls down', async () => {
    const page = await pages.open();
    await rowOf(page, 'before 0').waitFor();
    await write(pages.reader, 'seen', MANY);
    await rowOf(page, `seen ${MANY - 1}`).waitFor();
    // Nothing was held back.
    expect(await page.getByText(/^[\d,]+\+? new$/).count()).toBe(0);
    const seen = await scrollThrough(page, /^seen \d+$/);
    expect(seen).toEqual(Array.from({ length: MANY }, (_, index) => `seen ${MANY - 1 - index}`));
  });

  test('says how many wait, however many they are, and shows the newest of them', async () => {
    await write(pages.reader, 'long ago', 300);
    const page = await pages.open();
    await rowOf(page, 'long ago 299').waitFor();
    // It takes its place above the list when it comes.
    await page.getByRole('region', { name: /^Calls over time/ }).waitFor();
    await page.getByRole('grid').getByRole('row').nth(3).hover();
    await page.mouse.wheel(0, 1400);
    await rowOf(page, 'long ago 240').waitFor();
    await page.waitForFunction("document.querySelector('[role=rowgroup]').scrollTop === 1400");
    const read = await rowOf(page, 'long ago 240').boundingBox();
    await write(pages.reader, 'waits', MANY);
    await page.getByText(`${MANY.toLocaleString('en')} new`, { exact: true }).waitFor();
    expect(await rowOf(page, 'long ago 240').boundingBox()).toEqual(read);
    await page.getByText(/ new$/).click();
    await rowOf(page, `waits ${MANY - 1}`).waitFor();
    await page.getByText(/ new$/).waitFor({ state: 'detached' });
    await write(pages.reader, 'and on', 1);
    await rowOf(page, 'and on 0').waitFor();
    const seen = await scrollThrough(page, /^(?:waits|long ago) \d+$/);
    expect(seen.slice(0, MANY + 300)).toEqual([
      ...Array.from({ length: MANY }, (_, index) => `waits ${MANY - 1 - index}`),
      ...Array.from({ length: 300 }, (_, index) => `long ago ${299 - index}`),
    ]);
  });

  test('shows new ones at once where the list that was scrolled has gone', async () => {
    await write(pages.reader, 'scrolled', 300);
    const page = await pages.open();
    await rowOf(page, 'scrolled 299').waitFor();
    await page.locator('[role=rowgroup]').evaluate((element) => element.scrollTo({ top: 1400 }));
    await rowOf(page, 'scrolled 240').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('op:later');
    await page.keyboard.press('Enter');
    await page.getByText('No call matches').waitFor();
    await write(pages.reader, 'afterwards', 1, 'later');
    await rowOf(page, 'afterwards 0').waitFor();
    expect(await page.getByText(/ new$/).count()).toBe(0);
  });

  test('has those that a filter means, however many others come', async () => {
    const page = await pages.open();
    await page.goto(`${page.url().split('?')[0]}?q=${encodeURIComponent('op:rare')}`);
    await page.getByText('No call matches').waitFor();
    await write(pages.reader, 'crowd', 150);
    await write(pages.reader, 'meant', 1, 'rare');
    await write(pages.reader, 'crowd', 150);
    await rowOf(page, 'meant 0').waitFor();
    expect(
      await page
        .getByRole('grid')
        .getByText(/^crowd/)
        .count(),
    ).toBe(0);
  });
});

describe.skipIf(!hasBrowser)('feedback', () => {
  const pages = servedPages({ project: 'local/judged', seed: (reader) => write(reader, 'answer', 3) });

  test('that somebody else gives is counted in the rows, and takes calls out of a list of those without', async () => {
    const page = await pages.openAt('/calls?cols=input,feedback');
    const without = await pages.openAt(`/calls?q=${encodeURIComponent('-has:feedback')}`);
    await rowOf(without, 'answer 1').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'answer 1' });
    await row.waitFor();
    expect(await row.getByText('1', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Live' }).waitFor();
    await without.getByRole('button', { name: 'Live' }).waitFor();
    const call = (await pages.reader.page.rows({})).rows.find(({ input }) => input?.includes('answer 1'));
    const svc_ref = formatCallRef('local/judged', call?.id ?? '');
    const { id } = await pages.reader.feedback.create({
      svc_ref,
      feedback_type: 'svc.note.1',
      payload: { note: 'Right.' },
    });
    await row.getByText('1', { exact: true }).waitFor();
    await rowOf(without, 'answer 1').waitFor({ state: 'detached' });
    await rowOf(without, 'answer 2').waitFor();
    await pages.reader.feedback.purge([id]);
    await row.getByText('1', { exact: true }).waitFor({ state: 'detached' });
    await rowOf(without, 'answer 1').waitFor();
  });

  test('that somebody else gives is shown beside the call that is looked at', async () => {
    const page = await pages.openAt('/calls');
    await rowOf(page, 'answer 0').click();
    await page.getByRole('tab', { name: /Feedback/ }).click();
    // What is given before changes are told is told by nobody.
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    const call = (await pages.reader.page.rows({})).rows.find(({ input }) => input?.includes('answer 0'));
    const svc_ref = formatCallRef('local/judged', call?.id ?? '');
    await pages.reader.feedback.create({ svc_ref, feedback_type: 'svc.note.1', payload: { note: 'Somewhat right.' } });
    await page.getByText('Somewhat right.').waitFor();
    expect(await page.getByText('Somewhat right.').count()).toBe(1);
  });

  test('that is a score is kept as a number, can be asked for, and taken back', async () => {
    const page = await pages.openAt('/calls');
    await rowOf(page, 'answer 2').click();
    await page.getByRole('tab', { name: /Feedback/ }).click();
    const call = (await pages.reader.page.rows({})).rows.find(({ input }) => input?.includes('answer 2'));
    const svc_ref = formatCallRef('local/judged', call?.id ?? '');
    const given = async () => (await pages.reader.feedback.query()).filter((each) => each.svc_ref === svc_ref);
    await page.getByRole('button', { name: 'Score', exact: true }).click();
    await page.getByLabel('Name of the score').fill('relevance');
    await page.getByLabel('Score', { exact: true }).fill('0.8');
    await page.getByRole('button', { name: 'Save score' }).click();
    const panel = page.getByRole('tabpanel');
    await panel.getByText('relevance', { exact: true }).waitFor();
    expect(await given()).toMatchObject([{ feedback_type: 'relevance', payload: { value: 0.8 } }]);
    await page.goto(
      `${pages.service.url}/ui/local/judged/calls?q=${encodeURIComponent('feedback.relevance>0.7')}&sel=${call?.id}`,
    );
    await rowOf(page, 'answer 2').waitFor();
    expect(await page.getByRole('grid').getByRole('row').count()).toBe(2);
    await page.getByRole('tab', { name: /Feedback/ }).click();
    await panel.getByText('0.8').waitFor();
    await panel.getByRole('button', { name: 'Remove this feedback' }).click();
    await expect.poll(given).toEqual([]);
  });
});

const rowOf = (page: Page, question: string) => page.getByRole('grid').getByText(question, { exact: true });

/** Inputs of the rows from the top to the end of the list, in their order. */
async function scrollThrough(page: Page, wanted: RegExp): Promise<readonly string[]> {
  const seen = new Map<number, string>();
  for (let first = 0; first < (await countOf(page)); first += STEP) {
    await page.locator('[role=rowgroup]').evaluate((element, top) => element.scrollTo({ top }), first * ROW_PX);
    await expect.poll(async () => await missingOf(page, first)).toEqual([]);
    for (const [index, text] of await page.evaluate<[number, string][]>(SHOWN))
      if (wanted.test(text)) seen.set(index, text);
  }
  return [...seen].sort(([a], [b]) => a - b).map(([, text]) => text);
}

const ROW_PX = 28;
const STEP = 20;

/** Rows with their place, which is 2 for the first one. */
const SHOWN = `[...document.querySelectorAll('[role=row][aria-rowindex]')]
  .map((row) => [Number(row.getAttribute('aria-rowindex')), row.children[3]?.innerText ?? ''])`;

/** Those of a step that are not there yet. */
async function missingOf(page: Page, first: number): Promise<readonly number[]> {
  const shown = new Set((await page.evaluate<[number, string][]>(SHOWN)).map(([index]) => index));
  const step = Array.from({ length: STEP }, (_, index) => first + index + 2);
  const count = await countOf(page);
  return step.filter((index) => index < count + 2 && !shown.has(index));
}

async function countOf(page: Page): Promise<number> {
  return Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
}

/** When the last call began: none begins among those that were written before, however soon it is written. */
let lastBegan = 0;

/** Calls that began one after the other; the last is the newest. */
async function write(reader: Reader, question: string, count: number, op = 'answer'): Promise<void> {
  await setTimeout(Math.max(0, lastBegan + count - Date.now()));
  const began = Date.now() - count;
  lastBegan = began + count;
  const item = (index: number) => ({
    mode: 'start' as const,
    req: {
      start: {
        op_name: op,
        started_at: new Date(began + index).toISOString(),
        inputs: { question: `${question} ${index}` },
      },
    },
  });
  for (let at = 0; at < count; at += BATCH) {
    await reader.calls.write(Array.from({ length: Math.min(BATCH, count - at) }, (_, index) => item(at + index)));
  }
}

import type { Locator, Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { servedPages } from '../served-pages.ts';

const PROJECT = 'local/traces';
const TRACE = 'trace-of-a-ticket';
const LANE_PX = 24;
const HOUR_MS = 3_600_000;
/** More than are shown one by one. */
const REPEATS = 25;

describe.skipIf(!hasBrowser)('a trace', () => {
  const pages = servedPages({ project: PROJECT, seed, args: ['--storage', 'memory'] });

  describe('in the strip of its time', () => {
    test('a drag looks closer, another one moves, a double click fits, and the address says so', async () => {
      const page = await pages.openAt(`/trace/${TRACE}`);
      await dragOver(minimap(page), 0.25, 0.75);
      await expect.poll(() => zoomOf(page)).toEqual([expect.closeTo(1000, -2), expect.closeTo(3000, -2)]);
      await dragOver(minimap(page), 0.5, 0.6);
      await expect.poll(() => zoomOf(page)).toEqual([expect.closeTo(1400, -2), expect.closeTo(3400, -2)]);
      const looked = page.url();
      await page.reload();
      await rowOf(page, 'answer_ticket').waitFor();
      expect(page.url()).toBe(looked);
      expect(await minimap(page).getAttribute('aria-valuetext')).toMatch(/^1\.[34]\d* s to 3\.[34]\d* s$/);
      await minimap(page).dblclick();
      await expect.poll(() => zoomOf(page)).toBeUndefined();
      expect(await page.getByRole('button', { name: 'Fit' }).isDisabled()).toBe(true);
    });

    test('an end of what is seen moves alone', async () => {
      const page = await pages.openAt(`/trace/${TRACE}?z=1000,3000`);
      await dragOver(minimap(page), 0.75, 0.5);
      await expect.poll(() => zoomOf(page)).toEqual([1000, expect.closeTo(2000, -2)]);
    });

    test('keys look closer, move to both sides as far as there is something, and fit', async () => {
      const page = await pages.openAt(`/trace/${TRACE}`);
      await rowOf(page, 'answer_ticket').waitFor();
      await page.keyboard.press('z');
      await expect.poll(() => zoomOf(page)).toEqual([1000, 3000]);
      await minimap(page).focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => zoomOf(page)).toEqual([1200, 3200]);
      for (let presses = 0; presses < 9; presses++) await page.keyboard.press('ArrowLeft');
      await expect.poll(() => zoomOf(page)).toEqual([0, 2000]);
      await page.keyboard.press('0');
      await expect.poll(() => zoomOf(page)).toBeUndefined();
      await page.keyboard.press('Z');
      expect(await page.getByRole('button', { name: 'Fit' }).isDisabled()).toBe(true);
    });
  });

  test('a call that was tried again after an error is numbered, and a loop over things is not', async () => {
    const page = await pages.openAt('/trace/tried-again');
    await rowOf(page, 'attempt 2').waitFor();
    const texts = await rows(page).allInnerTexts();
    const attempts = texts.map((text) => /(send|read)[^]*attempt (\d)/.exec(text)?.slice(1).join(' '));
    expect(attempts.filter((each) => each !== undefined)).toEqual(['send 1', 'send 2']);
  });

  describe('as a flame', () => {
    test('a click on a rectangle selects its call, its key zooms to it, and back leads to the one before', async () => {
      const page = await pages.openAt(`/trace/${TRACE}?as=flame`);
      await clickAt(flame(page), 0.4, 1);
      await selectedCall(page, 'collect').waitFor();
      await clickAt(flame(page), 0.9, 1);
      await selectedCall(page, 'send_email').waitFor();
      await page.getByRole('complementary').getByText('550 mailbox unavailable').first().waitFor();
      await page.keyboard.press('f');
      await expect.poll(() => zoomOf(page)).toEqual([3460, 4000]);
      // What is looked at closer fills the chart.
      await clickAt(flame(page), 0.3, 1);
      await selectedCall(page, 'send_email').waitFor();
      await page.goBack();
      await selectedCall(page, 'collect').waitFor();
    });

    test('says what lies under the pointer, and a wheel with a key looks closer, at the flame and not at the page', async () => {
      const page = await pages.openAt(`/trace/${TRACE}?as=flame`);
      await flame(page).waitFor();
      await flame(page).hover({ position: await placeIn(flame(page), 0.1, 1) });
      await page.getByText('plan', { exact: true }).first().waitFor();
      await page.evaluate(
        "addEventListener('wheel', (event) => setTimeout(() => (globalThis.isKept = event.defaultPrevented)))",
      );
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -100);
      await page.keyboard.up('Control');
      await expect.poll(() => zoomOf(page)).toEqual([expect.closeTo(80, -1), expect.closeTo(3280, -1)]);
      await expect.poll(() => page.evaluate('globalThis.isKept')).toBe(true);
    });

    test('a line of the table of ops leads to the longest call of the op, by its button too', async () => {
      const page = await pages.openAt(`/trace/${TRACE}?as=flame`);
      const table = page.getByRole('table', { name: 'Ops in view' });
      await table.getByRole('row').filter({ hasText: 'fetch_page' }).getByRole('cell').first().click();
      await selectedCall(page, 'fetch_page').waitFor();
      await table.getByRole('button', { name: 'chat' }).focus();
      await page.keyboard.press('Enter');
      await selectedCall(page, 'chat').waitFor();
      // In the tree the same call is selected.
      await page.keyboard.press('1');
      const selected = page.getByRole('treegrid').getByRole('row', { selected: true });
      await expect.poll(() => selected.innerText()).toContain('chat');
    });
  });

  test('with what is heavy to the left: a click on a stack selects its heaviest call', async () => {
    const page = await pages.openAt(`/trace/${TRACE}?as=heavy`);
    const chart = page.getByRole('group', { name: /merged stacks? of \d+ calls/ });
    await clickAt(chart, 0.2, 1);
    await selectedCall(page, 'collect').waitFor();
    await clickAt(chart, 0.2, 2);
    await selectedCall(page, 'fetch_page').waitFor();
    // Of all of that op the one that took longest.
    await expect.poll(() => callOf(page)).toBe('fetch-slow');
  });

  test.each(['flame', 'heavy'])('is touched on a phone, as a %s', async (form) => {
    const page = await pages.openAt(`/trace/${TRACE}?as=${form}`, { width: 390, hasTouch: true });
    const chart = page.getByRole('group', { name: /Flame chart|merged stack/ });
    await chart.waitFor();
    const box = await chart.boundingBox();
    const { x, y } = await placeIn(chart, 0.4, 1);
    await page.touchscreen.tap((box?.x ?? 0) + x, (box?.y ?? 0) + y);
    await expect.poll(() => callOf(page)).toBe('collect');
    await page.getByRole('button', { name: 'Open' }).tap();
    await page.getByRole('region', { name: 'Selected call' }).getByRole('heading', { name: 'collect' }).waitFor();
  });

  test('is gone through by siblings, by starts and by calls of the same op, and folded with all below, by keys', async () => {
    const page = await pages.openAt(`/trace/${TRACE}?call=collect`);
    await selectedCall(page, 'collect').waitFor();
    const walk = async (...steps: readonly (readonly [key: string, to: string])[]) => {
      for (const [key, to] of steps) {
        await page.keyboard.press(key);
        await selectedCall(page, to).waitFor();
      }
    };
    await walk(['[', 'plan'], [']', 'collect'], [']', 'send_email']);
    await walk([',', 'fetch_page'], ['.', 'send_email'], ['[', 'collect'], ['u', 'answer_ticket']);
    await page.keyboard.press('n');
    await expect.poll(() => callOf(page)).toBe('fetch-failed');
    await page.keyboard.press('P');
    await expect.poll(() => callOf(page)).not.toBe('fetch-failed');
    await selectedCall(page, 'fetch_page').waitFor();
    await page.keyboard.press('p');
    await expect.poll(() => callOf(page)).toBe('fetch-failed');
    const open = await rows(page).count();
    await rowOf(page, 'answer_ticket').click();
    await page.keyboard.press('H');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.keyboard.press('L');
    await expect.poll(() => rows(page).count()).toBe(open);
    await page.keyboard.press('z');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => zoomOf(page)).toEqual([1400, 3400]);
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => zoomOf(page)).toEqual([1000, 3000]);
  });

  describe('with calls alike', () => {
    test('folds them to one line, opens and folds it by a click and by keys, and keeps that', async () => {
      const page = await pages.openAt(`/trace/${TRACE}`, { width: 1920 });
      const line = rowOf(page, `× ${REPEATS}`);
      await line.getByText(/p50 40 ms · max 800 ms/).waitFor();
      await line.getByRole('img', { name: '1 failed' }).waitFor();
      const folded = await rows(page).count();
      await line.locator('span:has(> svg)').first().click();
      await expect.poll(() => rows(page).count()).toBe(folded + REPEATS);
      await page.reload();
      await rowOf(page, 'answer_ticket').waitFor();
      await expect.poll(() => rows(page).count()).toBe(folded + REPEATS);
      await line.click();
      await page.keyboard.press('h');
      await expect.poll(() => rows(page).count()).toBe(folded);
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => rows(page).count()).toBe(folded + REPEATS);
    });

    test('opens the line for an error inside of it', async () => {
      const page = await pages.openAt(`/trace/${TRACE}`);
      await rowOf(page, 'answer_ticket').click();
      await page.getByRole('button', { name: 'Next error' }).click();
      await expect.poll(() => callOf(page)).toBe('fetch-failed');
      await page.getByRole('complementary').getByText('ECONNRESET').first().waitFor();
      await page.getByRole('button', { name: 'Next error' }).click();
      await selectedCall(page, 'send_email').waitFor();
      await page.keyboard.press('N');
      await expect.poll(() => callOf(page)).toBe('fetch-failed');
    });
  });

  test.each(['tree', 'flame', 'heavy'])('of one call that took no time is whole as a %s', async (form) => {
    const page = await pages.openAt(`/trace/alone?as=${form}`);
    await page.getByText('1 of 1 received').waitFor();
    await head(page).getByText('1 call', { exact: true }).waitFor();
    await page.getByRole('complementary').getByRole('heading', { name: 'be_alone' }).waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/NaN|Infinity|undefined/);
    if (form !== 'tree') await clickAt(page.getByRole('group', { name: /Flame chart|merged stack/ }), 0.5, 0);
    await dragOver(minimap(page), 0.2, 0.8);
    await page.keyboard.press('0');
    expect(await page.locator('body').innerText()).not.toMatch(/NaN|Infinity|undefined/);
  });

  describe('that is not over', () => {
    test('grows where one looks: calls come, fail and end, and its time goes on until then', async () => {
      const traceId = 'trace-that-grows';
      const began = Date.now();
      const root: Plan = { ...step('work', 0, 60_000), id: 'grows', isOpen: true };
      const first: Plan = { ...step('first_step', 0, 20), id: 'grows-1', isOpen: true };
      const page = await pages.openAt(`/trace/${traceId}`);
      // Nothing has come yet, and that is no end.
      await page.getByText('No calls in this trace').waitFor();
      await writeRecords(pages.reader, recordsOf(root, began, { traceId }));
      await rowOf(page, 'work').waitFor();
      await head(page).getByText('running').first().waitFor();
      await writeRecords(pages.reader, recordsOf(first, began, { traceId, parentId: 'grows' }));
      await rowOf(page, 'first_step').getByText(/…$/).waitFor();
      await rowOf(page, 'first_step').click();
      const time = head(page)
        .getByText(/\d m?s…$/)
        .first();
      const before = await time.innerText();
      await expect.poll(async () => await time.innerText()).not.toBe(before);
      await page.getByText('2 of 2 received').waitFor();

      await end(pages.reader, 'grows-1', 'TypeError: not a function');
      await head(page).getByText('1 error inside').waitFor();
      await page.getByRole('complementary').getByText('not a function').first().waitFor();
      await writeRecords(pages.reader, recordsOf(step('second_step', 40, 30), began, { traceId, parentId: 'grows' }));
      await rowOf(page, 'second_step').getByText('30 ms').waitFor();
      // Whoever looks at a call goes on looking at it.
      expect(callOf(page)).toBe('grows-1');
      await page
        .getByRole('status')
        .filter({ hasText: /\d new calls?/ })
        .waitFor({ state: 'attached' });

      await end(pages.reader, 'grows');
      await expect
        .poll(() =>
          head(page)
            .getByText(/\d m?s…$/)
            .count(),
        )
        .toBe(0);
      await page.getByText('3 of 3 received').waitFor();
      await page.keyboard.press('2');
      await clickAt(flame(page), 0.5, 0);
      await selectedCall(page, 'work').waitFor();
    });

    test('loses what is deleted', async () => {
      const traceId = 'trace-that-shrinks';
      const shrinks: Plan = { ...step('stay', 0, 90), calls: [{ ...step('leave', 10, 20), id: 'leaves' }] };
      await writeRecords(pages.reader, recordsOf(shrinks, Date.now() - 500, { traceId }));
      const page = await pages.openAt(`/trace/${traceId}`);
      await rowOf(page, 'leave').waitFor();
      await pages.reader.calls.delete(['leaves']);
      await rowOf(page, 'leave').waitFor({ state: 'detached' });
      await page.getByText('1 of 1 received').waitFor();
      expect(await rows(page).count()).toBe(1);
    });
  });
});

const rows = (page: Page) => page.getByRole('treegrid').getByRole('row');
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text });
/** Of the whole trace. */
const head = (page: Page) => page.locator('main header').first();
const minimap = (page: Page) => page.getByRole('slider', { name: 'Visible time' });
const flame = (page: Page) => page.getByRole('group', { name: /^Flame chart/ });
const selectedCall = (page: Page, name: string) =>
  page.getByRole('complementary').getByRole('heading', { name, exact: true });
const callOf = (page: Page) => new URL(page.url()).searchParams.get('call');

/** Milliseconds from the start of the trace that the address names. */
function zoomOf(page: Page): readonly number[] | undefined {
  return new URL(page.url()).searchParams.get('z')?.split(',').map(Number);
}

/** A place as a share of the width, on a line of a chart. */
async function placeIn(chart: Locator, share: number, line: number): Promise<{ x: number; y: number }> {
  await chart.waitFor();
  const width = (await chart.boundingBox())?.width ?? 0;
  return { x: width * share, y: (line + 0.5) * LANE_PX };
}

async function clickAt(chart: Locator, share: number, line: number): Promise<void> {
  await chart.click({ position: await placeIn(chart, share, line) });
}

async function dragOver(strip: Locator, from: number, to: number): Promise<void> {
  await strip.waitFor();
  const box = await strip.locator('canvas').boundingBox();
  if (box === null) throw new Error('The strip is not there');
  const mouse = strip.page().mouse;
  const y = box.y + box.height / 2;
  await mouse.move(box.x + box.width * from, y);
  await mouse.down();
  await mouse.move(box.x + box.width * to, y, { steps: 5 });
  await mouse.up();
}

async function end(reader: Reader, id: string, exception: string | null = null): Promise<void> {
  const ended_at = new Date().toISOString();
  await reader.calls.write([{ mode: 'end', req: { end: { id, ended_at, output: null, exception, summary: {} } } }]);
}

function step(op: string, fromMs: number, ms: number): Plan {
  return { op, kind: 'other', fromMs, ms, inputs: { of: op }, output: null };
}

/** Four seconds: a plan of one, calls alike in two and a half, a mail that fails in the last half. */
async function seed(reader: Reader): Promise<void> {
  const began = Date.now() - HOUR_MS;
  const usage = { model: 'gpt-5-mini', input: 340, output: 46 };
  const fetches = Array.from({ length: REPEATS }, (_, index): Plan => {
    const each = step('fetch_page', 1000 + index * 60, 40);
    if (index === 3) return { ...each, id: 'fetch-failed', exception: 'Error: read ECONNRESET' };
    return index === REPEATS - 1 ? { ...each, id: 'fetch-slow', ms: 800 } : each;
  });
  const ticket: Plan = {
    ...step('answer_ticket', 0, 4000),
    calls: [
      { ...step('plan', 0, 1000), calls: [{ ...step('chat', 100, 800), kind: 'llm', usage }] },
      { ...step('collect', 1000, 2500), id: 'collect', calls: fetches },
      { ...step('send_email', 3500, 500), exception: 'SMTPError: 550 mailbox unavailable' },
    ],
  };
  await writeRecords(reader, recordsOf(ticket, began, { traceId: TRACE }));
  await writeRecords(reader, recordsOf(step('be_alone', 0, 0), began, { traceId: 'alone' }));
  const failed = { exception: 'Error: no answer' };
  const tries: Plan = {
    ...step('notify', 0, 4000),
    calls: [
      { ...step('send', 500, 100), ...failed },
      step('send', 1000, 100),
      { ...step('read', 1500, 100), ...failed, inputs: { file: 'a' } },
      { ...step('read', 2000, 100), inputs: { file: 'b' } },
    ],
  };
  await writeRecords(reader, recordsOf(tries, began, { traceId: 'tried-again' }));
}

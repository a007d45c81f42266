import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { recordsOf, writeRecords } from '../../examples/seeds/plan.ts';
import { servedPages } from './served-pages.ts';

const PROJECT = 'local/settings';
const TRACE = 'trace-of-settings';
const HOUR_MS = 3_600_000;
/** Of one day in Tokyo and in UTC, as is the hour after it. */
const OLD = new Date('2026-03-02T03:00:05Z');
const TOKYO_MS = 9 * HOUR_MS;
const WINDOW_PX = 1440;
/** What is left for a list beside a pane. */
const LEAST_PX = 270;

describe.skipIf(!hasBrowser)('what is chosen for the page', () => {
  const pages = servedPages({
    project: PROJECT,
    seed: async (reader) => {
      const call = { op: 'answer', kind: 'agent', fromMs: 0, ms: 900, inputs: { question: 'Why?' }, output: 'Because' };
      await writeRecords(reader, recordsOf({ ...call, calls: [call] }, Date.now() - HOUR_MS, { traceId: TRACE }));
      await writeRecords(reader, recordsOf({ ...call, op: 'old' }, OLD.getTime(), { traceId: 'old' }));
    },
  });

  test('rows are as high as they were chosen to be, in lists and trees, also after a reload', async () => {
    const page = await pages.open();
    const heightOf = async (role: 'grid' | 'treegrid') =>
      (await page.getByRole(role).getByRole('row').last().boundingBox())?.height;
    await page.getByRole('grid').getByText('answer').waitFor();
    expect(await heightOf('grid')).toBe(28);
    for (const [name, px] of [
      ['Compact', 24],
      ['Comfortable', 36],
    ] as const) {
      await page.goto(`${pages.service.url}/ui/settings`);
      await page.getByRole('button', { name }).or(page.getByRole('radio', { name })).first().click();
      await page.goto(`${pages.service.url}/ui/${PROJECT}/calls`);
      await page.getByRole('grid').getByText('answer').waitFor();
      expect(await heightOf('grid')).toBe(px);
      await page.goto(`${pages.service.url}/ui/${PROJECT}/trace/${TRACE}`);
      await page.getByRole('treegrid').getByText('answer').first().waitFor();
      expect(await heightOf('treegrid')).toBe(px);
    }
  });

  test('settings that are the first page lead to calls and threads', async () => {
    const page = await pages.open();
    // As a browser that has never been here.
    await page.evaluate('localStorage.clear()');
    await page.goto(`${pages.service.url}/ui/settings`);
    const entry = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    await entry('Threads').waitFor();
    await entry('Calls').click();
    await page.getByRole('grid').getByText('answer').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/ui/${PROJECT}/calls`);
  });

  test('times are of this machine or of UTC', async () => {
    const page = await pages.open();
    const tools = await page.context().newCDPSession(page);
    await tools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    const clock = (at: number) => new Date(at).toISOString().slice(11, 19);
    const calls = `${pages.service.url}/ui/${PROJECT}/calls`;
    // Of another day than that of the page a time has its date.
    await page.clock.setSystemTime(OLD.getTime() + HOUR_MS);
    await page.goto(calls);
    await page
      .getByRole('grid')
      .getByText(clock(OLD.getTime() + TOKYO_MS))
      .waitFor();
    await page.goto(`${pages.service.url}/ui/settings`);
    const utc = page
      .getByRole('button', { name: 'UTC' })
      .or(page.getByRole('radio', { name: 'UTC' }))
      .first();
    await utc.click();
    // Its own times are others at once, and whoever chose goes on from there.
    await page.getByTitle(/ UTC$/).first().waitFor();
    expect(await page.locator(':focus').textContent()).toBe('UTC');
    await page.goto(calls);
    const cell = page.getByRole('grid').getByText(clock(OLD.getTime()));
    await cell.waitFor();
    expect(await cell.getAttribute('title')).toMatch(/ UTC$/);
    // What is written in the filter is by the same clock.
    const minute = OLD.toISOString().slice(0, 16);
    await page.goto(`${calls}?q=${encodeURIComponent(`started:${minute}`)}`);
    await cell.waitFor();
  });

  test('colours are light or dark as one chooses by key or here, in all windows, until they are of the system again', async () => {
    const page = await pages.open();
    const beside = await pages.windows.openBeside(page);
    await beside.goto(page.url());
    const isDark = async (of: Page) => {
      const colour = await of.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(['rgb(255, 255, 255)', 'rgb(15, 18, 22)']).toContain(colour);
      return colour === 'rgb(15, 18, 22)';
    };
    const system = async (colorScheme: 'light' | 'dark') => {
      for (const of of [page, beside]) await of.emulateMedia({ colorScheme });
    };
    const areDark = async (is: boolean) => {
      for (const of of [page, beside]) await expect.poll(async () => await isDark(of)).toBe(is);
    };
    const grid = page.getByRole('grid').getByText('answer');
    await grid.waitFor();
    await system('dark');
    await areDark(true);
    await system('light');
    await areDark(false);

    await page.keyboard.press('t');
    await areDark(true);
    await page.reload();
    await grid.waitFor();
    await areDark(true);
    await page.keyboard.press('t');
    await areDark(false);
    await system('dark');
    await areDark(false);

    await page.goto(`${pages.service.url}/ui/settings`);
    const colours = page.getByRole('group', { name: 'Colours' });
    const chosen = async () => await colours.getByRole('button', { pressed: true }).allInnerTexts();
    const choose = async (name: string) => {
      await colours.getByRole('button', { name }).click();
      await expect.poll(chosen).toEqual([name]);
    };
    await expect.poll(chosen).toEqual(['Light']);
    await choose('Dark');
    await system('light');
    await areDark(true);
    await choose('Light');
    await areDark(false);
    await choose('System');
    await system('dark');
    await areDark(true);
    await page.reload();
    await expect.poll(chosen).toEqual(['System']);
    await system('light');
    await areDark(false);
  });

  test.each([
    ['of a call beside the list', '/calls', 'Width of the panel'],
    ['of a call in its trace', `/trace/${TRACE}`, 'Width of the details'],
  ])('a pane is as wide as one drags its edge, or by keys, also after a reload: %s', async (_, path, name) => {
    const page = await pages.openAt(path);
    const pane = page.getByRole('complementary', { name: 'Selected call' });
    const edge = page.getByRole('separator', { name });
    const rows = page.getByRole(path === '/calls' ? 'grid' : 'treegrid');
    await rows.getByRole('row').filter({ hasText: 'answer' }).first().click();
    await pane.getByText('Why?').first().waitFor();
    const width = async () => (await pane.boundingBox())?.width ?? 0;
    const told = async () => Number(await edge.getAttribute('aria-valuenow'));
    const drag = async (by: number) => {
      const box = await edge.boundingBox();
      if (box === null) throw new Error('There is no edge');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(Math.min(Math.max(0, x + by), WINDOW_PX - 1), y, { steps: 4 });
      await page.mouse.up();
    };
    const usual = await width();
    await drag(-120);
    // The pointer holds the edge somewhere in its width.
    await expect.poll(async () => Math.abs((await width()) - usual - 120)).toBeLessThanOrEqual(6);
    const dragged = await width();
    expect(await told()).toBe(dragged);
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(width).toBeGreaterThan(dragged);
    const step = (await width()) - dragged;
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(width).toBe(dragged - 2 * step);
    await page.reload();
    await pane.getByText('Why?').first().waitFor();
    expect([await width(), await told()]).toEqual([dragged - 2 * step, dragged - 2 * step]);
    // Neither the pane nor what is beside it is ever gone.
    await drag(1000);
    await expect.poll(width).toBe(320);
    await drag(-1300);
    await expect.poll(width).toBeGreaterThan(600);
    expect(await rows.evaluate((element) => element.clientWidth)).toBeGreaterThan(LEAST_PX);
    await edge.dblclick();
    await expect.poll(width).toBe(usual);
  });

  test.each([
    ['of a call beside the list', '/calls', 'Width of the panel'],
    ['of a call in its trace', `/trace/${TRACE}`, 'Width of the details'],
  ])(
    'an edge dragged as far as it goes says where it is, and comes back with the next key: %s',
    async (_, path, name) => {
      const page = await pages.openAt(path);
      const rows = page.getByRole(path === '/calls' ? 'grid' : 'treegrid');
      await rows.getByRole('row').filter({ hasText: 'answer' }).first().click();
      const edge = page.getByRole('separator', { name });
      const pane = page.getByRole('complementary', { name: 'Selected call' });
      const width = async () => (await pane.boundingBox())?.width ?? 0;
      const box = await edge.boundingBox();
      if (box === null) throw new Error('There is no edge');
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(0, box.y + box.height / 2, { steps: 4 });
      await page.mouse.up();
      await expect.poll(width).toBeGreaterThan(600);
      const widest = await width();
      const told = async () => Number(await edge.getAttribute('aria-valuenow'));
      expect([await told(), Number(await edge.getAttribute('aria-valuemax'))]).toEqual([widest, widest]);
      await edge.focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(width).toBe(widest - 16);
      // In a window that has become narrower, too.
      await page.setViewportSize({ width: 1120, height: 900 });
      await expect.poll(width).toBeLessThan(widest - 100);
      const narrow = await width();
      await expect.poll(told).toBe(narrow);
      await page.keyboard.press('ArrowRight');
      await expect.poll(width).toBe(narrow - 16);
    },
  );
});

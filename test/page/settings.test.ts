import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { recordsOf, writeRecords } from '../../examples/seeds/plan.ts';
import { servedPages } from './served-pages.ts';

const PROJECT = 'local/settings';
const TRACE = 'trace-of-settings';
const BEGAN = new Date(Date.now() - 3_600_000);
const TOKYO_MS = 9 * 3_600_000;

describe.skipIf(!hasBrowser)('what is chosen for the page', () => {
  const pages = servedPages({
    project: PROJECT,
    seed: async (reader) => {
      const call = { op: 'answer', kind: 'agent', fromMs: 0, ms: 900, inputs: { question: 'Why?' }, output: 'Because' };
      await writeRecords(reader, recordsOf({ ...call, calls: [call] }, BEGAN.getTime(), { traceId: TRACE }));
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
    await page.goto(calls);
    await page
      .getByRole('grid')
      .getByText(clock(BEGAN.getTime() + TOKYO_MS))
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
    const cell = page.getByRole('grid').getByText(clock(BEGAN.getTime()));
    await cell.waitFor();
    expect(await cell.getAttribute('title')).toMatch(/ UTC$/);
    // What is written in the filter is by the same clock.
    const minute = BEGAN.toISOString().slice(0, 16);
    await page.goto(`${calls}?q=${encodeURIComponent(`started:${minute}`)}`);
    await cell.waitFor();
  });
});

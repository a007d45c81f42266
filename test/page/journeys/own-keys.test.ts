import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { servedPages } from '../served-pages.ts';
import { violationsOf } from '../violations.ts';

const PROJECT = 'local/own-keys';
const OPS = ['plan', 'search', 'answer'];

describe.skipIf(!hasBrowser)('with keys of one’s own', () => {
  const pages = servedPages({
    project: PROJECT,
    args: ['--storage', 'memory'],
    seed: async (reader) => {
      const calls = OPS.map((op, index) => ({ op, kind: 'tool', fromMs: index * 10, ms: 5, inputs: {}, output: 1 }));
      const root = { op: 'agent', kind: 'agent', fromMs: 0, ms: 100, inputs: {}, output: 1, calls };
      await writeRecords(reader, recordsOf(root, Date.now() - 60_000, { traceId: 'trace-of-keys' }));
    },
  });
  const command = (page: Page, label: string) =>
    page.getByRole('dialog', { name: 'Keys' }).getByRole('button', { name: new RegExp(`^${label}: .*change$`) });

  test('a key is changed by keys, named where it has a meaning, kept, and shown wherever it is told', async () => {
    const page = await pages.openAt('/calls?roots=0');
    await page.getByRole('grid').getByRole('row').nth(4).waitFor();
    await page.keyboard.press('?');
    const next = command(page, 'Next');
    await next.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Press the key that is to stand for j').waitFor();
    await page.keyboard.press('x');
    await page.getByText('x is “Select”: press it once more').waitFor();
    await page.keyboard.press('m');
    await expect.poll(() => next.textContent()).toBe('m');
    expect(await violationsOf(page)).toEqual([]);
    // Escape leaves one key as it is, then closes the list of keys.
    await command(page, 'Previous').click();
    await page.keyboard.press('Escape');
    expect(await command(page, 'Previous').textContent()).toBe('k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('grid').getByRole('row').nth(4).waitFor();
    for (const key of ['m', 'Enter', 'j']) await page.keyboard.press(key);
    await page.getByRole('complementary', { name: 'Selected call' }).getByRole('heading', { name: 'search' }).waitFor();
    expect(await page.getByRole('button', { name: 'Next call' }).getAttribute('title')).toBe('Next call (m)');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Next');
    await page.getByRole('option', { name: 'Next m', exact: true }).waitFor();
  });

  test('by the mouse two keys change places, on all pages, and go back', async () => {
    const page = await pages.openAt('/trace/trace-of-keys');
    const rows = page.getByRole('treegrid').getByRole('row');
    await rows.nth(OPS.length).waitFor();
    await page.getByRole('button', { name: 'All keys' }).click();
    await command(page, 'Next line').click();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await expect.poll(() => command(page, 'Previous line').textContent()).toBe('j');
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.locator('footer').textContent()).toContain('kjmove');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Change keys' }).click();
    await page.getByRole('button', { name: 'All back to default' }).click();
    await page.goBack();
    await expect.poll(() => page.locator('footer').textContent()).toContain('jkmove');
  });
});

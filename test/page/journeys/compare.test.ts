import type { Locator, Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { hasBrowser } from '../browser.ts';
import { CALLS_AFTER, RUNS, RUNS_PROJECT, seedRuns } from '../seed-runs.ts';
import { servedPages } from '../served-pages.ts';
import { isCompared } from '../shown-pages.ts';

const LARGE = { before: 'large-before', after: 'large-after', groups: 20, perGroup: 150 } as const;

describe.skipIf(!hasBrowser)('two runs', () => {
  const pages = servedPages({ project: RUNS_PROJECT, seed, args: ['--storage', 'memory'] });

  test('that are selected in the list are compared by a button, the earlier one as A, and back leads to the list', async () => {
    const page = await pages.openAt('/calls?t=all');
    const boxes = page.getByRole('row').filter({ hasText: 'answer_ticket' }).getByRole('checkbox');
    await boxes.nth(1).click();
    await page.getByText('1 selected').waitFor();
    expect(await page.getByRole('button', { name: 'Compare' }).count()).toBe(0);
    await boxes.nth(2).click();
    await page.getByRole('button', { name: 'Compare' }).click();
    await isCompared(page);
    await cause(page, 'plan: code v0 → v1').waitFor();
    await cause(page, 'support_prompt v0 → v1').waitFor();
    await row(page, 'search_docs', 'only in B').waitFor();
    await row(page, 'draft_followup', 'only in A').waitFor();
    await page.goBack();
    await page.getByText('2 selected').or(boxes.first()).first().waitFor();
  });

  test('are compared by keys alone: from the list, along what differs, and back', async () => {
    const page = await pages.openAt('/calls?t=all');
    await page.getByRole('row').filter({ hasText: 'answer_ticket' }).nth(2).waitFor();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('d');
    await isCompared(page);
    // Until their numbers are there versions stand with their digests.
    await cause(page, 'plan: code v0 → v1').waitFor();
    const place = async () => await selected(page).getAttribute('aria-rowindex');
    const passed: string[] = [];
    for (let presses = 0; presses < 4; presses++) {
      const before = await place();
      await page.keyboard.press('n');
      await expect.poll(place).not.toBe(before);
      passed.push((await selected(page).innerText()).split('\n').find((line) => /^[≠+−]/.test(line)) ?? '');
    }
    expect(new Set(passed).size).toBe(4);
    const last = page.url();
    await page.keyboard.press('N');
    await expect.poll(() => page.url()).not.toBe(last);
    await page.keyboard.press('n');
    await expect.poll(() => page.url()).toBe(last);
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/calls/);
  });

  test('the second of which is open: a key and the menu lead to it beside the one before', async () => {
    const page = await pages.openAt(`/trace/${RUNS.after}`);
    await page.getByRole('treegrid').getByRole('row').first().waitFor();
    await page.keyboard.press('d');
    await isCompared(page);
    await page.getByRole('button', { name: /^A ?\d.*answer_ticket/ }).waitFor();
    await row(page, 'plan', 'code v0 → v1').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await page.getByRole('menuitem', { name: /Compare with the run before/ }).click();
    await isCompared(page);
    expect(page.url()).toMatch(/\/compare\?a=run-after$/);
  });

  test('show what differs in a pair: its source, its prompt, its error, and whole inputs', async () => {
    const page = await openCompared();
    await cause(page, 'plan: code v0 → v1').click();
    await expect.poll(() => changedWords(page, 'Source of both versions')).toContain('5');
    await expect.poll(() => page.url()).toContain(`call=${CALLS_AFTER.plan}`);
    await row(page, 'claude-sonnet-4-5', 'support_prompt').click();
    await expect.poll(() => changedWords(page, 'Object of both versions')).toContain('short: three sentences at most');
    await page.getByRole('button', { name: '⋯ 12 equal lines' }).click();
    await page.getByText('Rule 9: stay with what the order says.').first().waitFor();
    await row(page, 'send_email', 'fails in B').click();
    await page.getByRole('group', { name: 'Errors' }).getByText('550 5.1.1 mailbox unavailable').waitFor();
    await page.getByRole('group', { name: 'Part of the pair' }).getByRole('button', { name: 'Input' }).click();
    await page.getByText('the same in both').waitFor();
    await page.reload();
    await isCompared(page);
    await page.getByText('the same in both').waitFor();
    expect(page.url()).toMatch(/tab=input/);
    expect(await selected(page).innerText()).toContain('send_email');
  });

  test('are one tree that folds, and of which only what differs is left', async () => {
    const page = await openCompared();
    await row(page, 'check_rules').waitFor();
    // Twelve calls that are alike below one that is alike.
    expect(await page.getByRole('row').filter({ hasText: 'check_rule' }).count()).toBe(1);
    await row(page, 'check_rules').click();
    await page.keyboard.press('l');
    await row(page, /check_rule.*× 12/s).waitFor();
    await page.keyboard.press('l');
    await page.keyboard.press('l');
    await expect
      .poll(() =>
        page
          .getByRole('row')
          .filter({ hasText: /check_rule(?!s)/ })
          .count(),
      )
      .toBe(1 + 12);
    await row(page, /rerank.*× 148/s, 'only in B').waitFor();
    await page.getByRole('button', { name: 'Only changes' }).click();
    await row(page, 'check_rules').waitFor({ state: 'detached' });
    await row(page, 'load_customer').waitFor({ state: 'detached' });
    await row(page, 'plan').waitFor();
    await page.keyboard.press('o');
    await row(page, 'load_customer').waitFor();
  });

  test('change places by a key and by a button', async () => {
    const page = await openCompared();
    await page.keyboard.press('x');
    await row(page, 'search_docs', 'only in A').waitFor();
    await expect.poll(() => cause(page, 'plan: code v1 → v0').count()).toBe(1);
    await page.getByRole('button', { name: 'Swap A and B' }).click();
    await row(page, 'search_docs', 'only in B').waitFor();
  });

  test('may be others: of the same op, and by an id', async () => {
    const page = await openCompared();
    await page.getByRole('button', { name: /^A ?\d/ }).click();
    const box = page.getByRole('dialog', { name: 'Side A' });
    await expect.poll(() => box.getByRole('button', { name: /s$/ }).count()).toBe(3);
    await box.getByRole('button', { name: /s$/ }).first().click();
    await page.getByText('Nothing differs but numbers', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^B ?(?:\d|nobody)/ }).click();
    await page.getByRole('dialog', { name: 'Side B' }).getByRole('textbox').fill('nobody-has-this-id');
    await page.keyboard.press('Enter');
    await page.getByText('B is not here').waitFor();
    await page.getByRole('button', { name: /^B ?(?:\d|nobody)/ }).click();
    await page.getByRole('dialog', { name: 'Side B' }).getByRole('textbox').fill(CALLS_AFTER.plan);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^B ?\d.*plan/ }).waitFor();
  });

  test('have their sources in one view, their numbers by op in another, each with its key', async () => {
    const page = await openCompared();
    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'support_prompt' }).waitFor();
    await page.getByRole('heading', { name: 'plan' }).waitFor();
    await page.keyboard.press('4');
    const ops = page.getByRole('table', { name: 'Numbers of each op' });
    await ops.getByRole('row').filter({ hasText: 'rerank' }).filter({ hasText: '0 → 148' }).waitFor();
    await page.keyboard.press('2');
    await page.getByRole('group', { name: 'Input', exact: true }).waitFor();
    await page.keyboard.press('1');
    await expect.poll(() => page.getByRole('treegrid').count()).toBe(1);
  });

  test('of which nothing differs, and one without any before, say so', async () => {
    const page = await pages.openAt(`/compare?a=${RUNS.again}`);
    await page.getByText('Nothing differs but numbers', { exact: true }).waitFor();
    await page.goto(`${pages.service.url}/ui/${RUNS_PROJECT}/compare?a=${RUNS.first}`);
    await expect.poll(() => page.getByRole('main').innerText()).toContain('There is no run before this one');
  });

  test('on a phone are lines, and the selected pair waits below them', async () => {
    const page = await pages.openAt(`/compare?a=${RUNS.after}`, { width: 390, hasTouch: true });
    await isCompared(page);
    await row(page, 'plan', 'code v0 → v1').tap();
    await page.getByRole('button', { name: 'Open', exact: true }).tap();
    await page.getByRole('group', { name: 'Source of both versions' }).getByText('steps.slice(0,').first().waitFor();
    await page.getByRole('button', { name: 'Calls of both sides' }).tap();
    await page.getByRole('button', { name: 'Next difference' }).tap();
    await expect.poll(() => page.url()).toContain('call=');
  });

  test('of thousands of calls are read to their ends while the page answers', async () => {
    const page = await pages.openAt(`/compare?a=${LARGE.before}&b=${LARGE.after}`);
    await isCompared(page);
    await page.getByRole('treegrid').waitFor();
    await cause(page, /^leaf_3: input: of/).waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => selected(page).innerText()).toContain('leaf_3');
    expect(Number(await page.getByRole('treegrid').getAttribute('aria-rowcount'))).toBeGreaterThan(100);
    expect(await page.getByRole('treegrid').getByRole('row').count()).toBeLessThan(100);
  });

  test('whose service goes stay as they are', async () => {
    const page = await openCompared();
    await page.context().setOffline(true);
    await page.getByText(/Service gone/).waitFor();
    await row(page, 'plan').waitFor();
    await page.keyboard.press('x');
    await page.getByRole('alert').first().waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => row(page, 'search_docs', 'only in A').count()).toBe(1);
  });

  async function openCompared(): Promise<Page> {
    const page = await pages.openAt(`/compare?a=${RUNS.before}&b=${RUNS.after}`);
    await isCompared(page);
    return page;
  }
});

function cause(page: Page, name: string | RegExp): Locator {
  return page.getByRole('region', { name: 'What differs' }).getByRole('button', { name });
}

function row(page: Page, ...texts: readonly (string | RegExp)[]): Locator {
  return texts.reduce((rows, hasText) => rows.filter({ hasText }), page.getByRole('treegrid').getByRole('row'));
}

function selected(page: Page): Locator {
  return page.getByRole('treegrid').getByRole('row', { selected: true });
}

async function changedWords(page: Page, name: string): Promise<readonly string[]> {
  return await page.getByRole('group', { name }).locator('ins').allInnerTexts();
}

async function seed(reader: Reader): Promise<void> {
  const now = Date.now();
  await seedRuns(reader, now);
  const large = (of: string): Plan => ({
    ...step('everything', {}),
    calls: Array.from({ length: LARGE.groups }, (_, group) => ({
      ...step(`group_${group}`, {}, group),
      calls: Array.from({ length: LARGE.perGroup }, (_each, index) =>
        step(`leaf_${index % 7}`, { of: index % 7 === 3 ? of : index }, group + index),
      ),
    })),
  });
  await writeRecords(reader, recordsOf(large('one'), now - 7_200_000, { traceId: LARGE.before }));
  await writeRecords(reader, recordsOf(large('two'), now - 7_000_000, { traceId: LARGE.after }));
}

function step(op: string, inputs: Record<string, unknown>, fromMs = 0): Plan {
  return { op, kind: 'other', fromMs, ms: 900, inputs, output: null };
}

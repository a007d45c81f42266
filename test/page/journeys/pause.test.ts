import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { servedPages } from '../served-pages.ts';

const TRACE = '019c0000000070008000000000000001';
const THREAD = 't-paused';
const BEGAN = Date.now() - 60_000;

const call = (op: string, more: Partial<Plan> = {}): Plan => ({
  op,
  kind: 'chain',
  fromMs: 10,
  ms: 20,
  inputs: { message: op },
  output: op,
  ...more,
});

describe.skipIf(!hasBrowser)('Ctrl+.', () => {
  const pages = servedPages({
    project: 'local/paused',
    seed: async (reader) => {
      const root = call('runs', { id: 'root', isOpen: true, calls: [call('first')] });
      await writeRecords(reader, recordsOf(root, BEGAN, { traceId: TRACE }));
      await writeRecords(reader, recordsOf(call('hello'), BEGAN, { traceId: 'turn-1', threadId: THREAD }));
    },
  });

  const inTrace = async (op: string) =>
    await writeRecords(pages.reader, recordsOf(call(op), BEGAN + 1000, { traceId: TRACE, parentId: 'root' }));
  const inThread = async (op: string, threadId = THREAD) =>
    await writeRecords(pages.reader, recordsOf(call(op), BEGAN + 1000, { traceId: `turn-${op}`, threadId }));

  test.each([
    ['a trace', `/trace/${TRACE}`, 'first', inTrace],
    ['a thread', `/threads/${THREAD}`, 'hello', inThread],
    ['the list of threads', '/threads', 'hello', async (op: string) => await inThread(op, `thread of ${op}`)],
  ])('pauses %s and goes on', async (_, path, before, write) => {
    const page = await pages.openAt(path);
    const beside = await pages.windows.openBeside(page);
    await beside.goto(page.url());
    for (const each of [page, beside]) {
      await seen(each, before).waitFor();
      await each.getByRole('button', { name: 'Live', exact: true }).waitFor();
    }
    const [during, after] = [`during_${path.length}`, `after_${path.length}`];
    await page.keyboard.press('Control+.');
    await page.getByRole('button', { name: 'Paused', exact: true }).waitFor();
    // A window that follows shows the second one a whole period after the first: by then a page that is not held has both.
    for (const op of [during, `${during}_2`]) {
      await write(op);
      await seen(beside, op).waitFor();
    }
    expect(await seen(page, during).count()).toBe(0);
    // As it is, also after a reload, which shows what has come till then.
    expect(new URL(page.url()).searchParams.get('live')).toBe('0');

    await page.keyboard.press('Control+.');
    await seen(page, during).waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    await write(after);
    await seen(page, after).waitFor();
  });

  test('holds what is read of a call that runs, and its time, too', async () => {
    const page = await pages.openAt(`/trace/${TRACE}`);
    const beside = await pages.windows.openBeside(page);
    const [own, others] = [readsOf(page), readsOf(beside)];
    await beside.goto(page.url());
    for (const each of [page, beside]) await each.getByText('Started', { exact: true }).waitFor();
    await page.keyboard.press('Control+.');
    await page.getByRole('button', { name: 'Paused', exact: true }).waitFor();
    const facts = page.getByText('Latency', { exact: true }).locator('xpath=ancestor::dl');
    const [reads, said] = [own.length, await facts.innerText()];
    // A window that follows asks again and again.
    const until = others.length + 3;
    await expect.poll(() => others.length, { timeout: 60_000 }).toBeGreaterThan(until);
    expect([own.length, await facts.innerText()]).toEqual([reads, said]);
    await page.keyboard.press('Control+.');
    await expect.poll(() => own.length, { timeout: 60_000 }).toBeGreaterThan(reads);
    await expect.poll(() => facts.innerText()).not.toBe(said);
  });

  test('is a button on a phone, too: a link to a page that was paused goes on there', async () => {
    const page = await pages.openAt(`/trace/${TRACE}?live=0`, { width: 390 });
    await inTrace('on_a_phone');
    await page.getByRole('button', { name: 'Paused', exact: true }).click();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    await seen(page, 'on_a_phone').waitFor();
    expect(new URL(page.url()).searchParams.has('live')).toBe(false);
  });
});

/** Requests of a page for whole calls, as they come. */
function readsOf(page: Page): readonly string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/call/read')) reads.push(request.url());
  });
  return reads;
}

function seen(page: Page, op: string) {
  return page.locator('main').getByText(op, { exact: true }).first();
}

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
    await write(during);
    await seen(beside, during).waitFor();
    expect(await seen(page, during).count()).toBe(0);
    // As it is, also after a reload, which shows what has come till then.
    expect(new URL(page.url()).searchParams.get('live')).toBe('0');

    await page.keyboard.press('Control+.');
    await seen(page, during).waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    await write(after);
    await seen(page, after).waitFor();
  });
});

function seen(page: Page, op: string) {
  return page.locator('main').getByText(op, { exact: true }).first();
}

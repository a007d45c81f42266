import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { createReader, type Reader } from 'spoor/reader';
import { describe, expect, onTestFinished, test } from 'vitest';
import { environmentOf, makeHome, ROOT, runCli, startServiceProcess } from '../../flow/service-process.ts';
import { hasBrowser } from '../browser.ts';
import { isFocused, pressAt, stepTo, takeItem } from '../by-keys.ts';
import { packedFolder, packedProgram } from '../packed-program.ts';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { servedPages } from '../served-pages.ts';

const PROJECT = 'local/desk';
const TSX = join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs');
const ROOTS = 48;
const MINUTE_MS = 60_000;
/** The line below a list. */
const FOOT_PX = 32;
const FORMULA = '=HYPERLINK("http://198.51.100.1")';

describe.skipIf(!hasBrowser)('calls that are chosen', () => {
  const pages = servedPages({ project: PROJECT, seed, args: ['--storage', 'memory'] });

  async function openCalls(query = ''): Promise<Page> {
    const page = await pages.openAt(`/calls${query}`);
    await rowAt(page, 2).waitFor();
    return page;
  }

  describe('by their time', () => {
    test('a drag over the histogram shows those of its bars and no others, and back all again', async () => {
      const page = await openCalls();
      await expect.poll(() => countIn(page)).toBe(ROOTS);
      const plot = page
        .getByRole('region', { name: /^Calls over time/ })
        .locator('> div')
        .first();
      const box = await plot.boundingBox();
      if (box === null) throw new Error('There is no histogram');
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * 0.5, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.75, y, { steps: 4 });
      const promised = Number(/([\d,]+) calls?/.exec(await plot.innerText())?.[1]);
      await page.mouse.up();
      await page.waitForURL(/[?&]t=/);
      const [after, before] = rangeOf(page);
      const stats = await pages.reader.page.stats({ roots_only: true, started_after: after, started_before: before });
      expect(stats.count).toBeGreaterThan(0);
      expect(stats.count).toBeLessThan(ROOTS);
      expect(promised).toBe(stats.count);
      await expect.poll(() => countIn(page)).toBe(stats.count);
      await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(stats.count + 1));
      await page.goBack();
      await expect.poll(() => countIn(page)).toBe(ROOTS);
    });

    test('the menu of times does the same by keys, for a range of one own, too', async () => {
      const page = await openCalls();
      const [after, before] = [-6, -3].map((hours) => Math.floor(Date.now() / 1000) * 1000 + hours * 60 * MINUTE_MS);
      const button = page.getByRole('button', { name: 'Time range' });
      await button.or(page.getByTitle('Time range')).first().focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('From', { exact: true }).fill(localText(after ?? 0));
      await page.getByLabel('To', { exact: true }).fill(localText(before ?? 0));
      await page.keyboard.press('Enter');
      await page.waitForURL(/[?&]t=/);
      expect(rangeOf(page).map((instant) => Date.parse(instant))).toEqual([after, before]);
      const [from, to] = rangeOf(page);
      const { count } = await pages.reader.page.stats({ roots_only: true, started_after: from, started_before: to });
      await expect.poll(() => countIn(page)).toBe(count);
    });
  });

  test('are shown in the columns that one has chosen, from then on', async () => {
    const page = await openCalls();
    const heads = async () => await page.getByRole('columnheader').allInnerTexts();
    expect(await heads()).not.toContain('Kind');
    const column = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true });
    await pressAt(page, page.getByRole('button', { name: 'Columns' }));
    for (const name of ['Kind', 'Output']) await takeItem(page, column(name));
    await page.keyboard.press('Escape');
    await expect.poll(heads).toContain('Kind');
    const chosen = await heads();
    expect(chosen).not.toContain('Output');
    await page.reload();
    await rowAt(page, 2).waitFor();
    expect(await heads()).toEqual(chosen);
    const other = await pages.windows.openBeside(page);
    await other.goto(`${pages.service.url}/ui/${PROJECT}/calls`);
    await rowAt(other, 2).waitFor();
    expect(await other.getByRole('columnheader').allInnerTexts()).toEqual(chosen);
    // By the mouse, too.
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['Output', 'Model']) await column(name).click();
    await expect.poll(heads).toEqual(expect.arrayContaining(['Kind', 'Output', 'Model']));
    await page.getByRole('menuitem', { name: 'Back to default' }).click();
    await expect.poll(heads).not.toContain('Kind');
  });

  test('are those of a view that was saved: in another browser with its filter and columns, by the menu and by ⌘K', async () => {
    const page = await openCalls('?q=status:error&cols=op,model');
    await pressAt(page, page.getByRole('button', { name: 'Views' }));
    await expect.poll(() => isFocused(page.getByLabel('Name of the view'))).toBe(true);
    await page.keyboard.type('broken ones');
    await page.keyboard.press('Enter');
    await page.getByText('View broken ones saved').waitFor();
    const other = await openCalls();
    const heads = async () => await other.getByRole('columnheader').allInnerTexts();
    const isShown = async (): Promise<void> => {
      await other.waitForURL(/[?&]q=status:error/);
      await expect.poll(heads).toContain('Model');
      expect(await heads()).not.toContain('Cost');
    };
    expect(await heads()).toContain('Cost');
    await other.getByRole('button', { name: 'Views' }).click();
    await other.getByRole('button', { name: 'broken ones', exact: true }).click();
    await isShown();
    await other.goto(`${pages.service.url}/ui/${PROJECT}/calls`);
    await rowAt(other, 2).waitFor();
    await other.keyboard.press('ControlOrMeta+k');
    await other.keyboard.type('broken ones');
    await other.getByRole('option', { name: /broken ones/ }).waitFor();
    await other.keyboard.press('Enter');
    await isShown();
    const id = (await pages.reader.page.views.list()).find(({ name }) => name === 'broken ones')?.id ?? '';
    await other.goto(`${pages.service.url}/ui/${PROJECT}/calls?view=${id}`);
    await isShown();
    await other.getByRole('button', { name: 'Views' }).click();
    await other.getByRole('button', { name: 'Copy the link of the view broken ones' }).waitFor();
    await other.getByLabel('Name of the view').fill('by the mouse');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('View by the mouse saved').waitFor();
    await other.getByRole('button', { name: 'Views' }).click();
    await other.getByRole('button', { name: 'Delete the view by the mouse' }).click();
    await other.getByText('View by the mouse deleted').waitFor();
    await pressAt(other, other.getByRole('button', { name: 'Delete the view broken ones' }));
    await other.getByText('View broken ones deleted').waitFor();
    await other.getByText('No view was saved yet').waitFor();
    await other.goto(`${pages.service.url}/ui/${PROJECT}/calls?view=${id}`);
    await other.getByText('This view is not there').waitFor();
    await other.getByRole('link', { name: 'All calls' }).click();
    await rowAt(other, 2).waitFor();
  });

  test('are a range by Shift and a click, and given feedback together, which can be taken back; their rows count it', async () => {
    const page = await openCalls('?cols=op,feedback');
    const counts = async () =>
      await Promise.all([2, 3, 4].map((index) => rowAt(page, index).getByRole('gridcell').last().innerText()));
    const selected = page.getByRole('grid').getByRole('row', { selected: true });
    await rowAt(page, 5).getByRole('checkbox').click();
    await rowAt(page, 3)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await expect.poll(() => indexesOf(selected)).toEqual([3, 4, 5]);
    await page.keyboard.press('Escape');
    await expect.poll(() => selected.count()).toBe(0);
    // Anywhere on a line, too.
    await rowAt(page, 4).getByRole('checkbox').click();
    await rowAt(page, 2)
      .getByRole('gridcell')
      .last()
      .click({ modifiers: ['Shift'] });
    await expect.poll(() => indexesOf(selected)).toEqual([2, 3, 4]);
    const chosen = await Promise.all(
      [2, 3, 4].map(async (index) => `svc:///${PROJECT}/call/${await idOf(page, index)}`),
    );
    const notes = async () => {
      const all = await pages.reader.feedback.query();
      return all.filter(({ payload }) => JSON.stringify(payload).includes('all three')).map(({ svc_ref: ref }) => ref);
    };
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Note' }).fill('all three');
    await page.keyboard.press('Enter');
    // Undo waits for who points at it.
    await page.getByRole('button', { name: /Undo/ }).hover();
    await page.getByText('Feedback given to 3 calls').waitFor();
    expect(new Set(await notes())).toEqual(new Set(chosen));
    await expect.poll(counts).toEqual(['1', '1', '1']);
    // The bar is gone with the field that had the focus.
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("role")')).toBe('row');
    await page.getByRole('button', { name: /Undo/ }).click();
    await expect.poll(notes).toEqual([]);
    await expect.poll(counts).toEqual(['–', '–', '–']);
  });

  describe('are copied as', () => {
    /** The ids of three calls, of which one is inside of another. */
    async function copied(
      as: string,
      hand: 'mouse' | 'keys',
    ): Promise<{ readonly text: string; readonly ids: readonly string[] }> {
      const page = await openCalls('?roots=0');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const ids: string[] = [];
      const item = page.getByRole('menuitem', { name: new RegExp(`^${as}`) });
      for (const index of [2, 3, 6]) {
        if (hand === 'mouse') await rowAt(page, index).getByRole('checkbox').click();
        else await stepTo(page, rowAt(page, index)).then(() => page.keyboard.press('x'));
        ids.push(await idOf(page, index));
      }
      if (hand === 'mouse') {
        await page.getByRole('button', { name: /^Copy as/ }).click();
        await item.click();
      } else {
        await page.keyboard.press('Y');
        await takeItem(page, item);
      }
      await page.getByText('3 calls copied').waitFor();
      return { text: await page.evaluate<string>('navigator.clipboard.readText()'), ids };
    }

    /** Where somebody has installed the package. */
    function installed(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
      const cwd = mkdtempSync(join(tmpdir(), 'spoor-copied-'));
      onTestFinished(() => rmSync(cwd, { recursive: true }));
      symlinkSync(join(packedFolder(), 'node_modules'), join(cwd, 'node_modules'));
      const own = { SPOOR_API_KEY: pages.service.apiKey, npm_config_offline: 'true' };
      return { cwd, env: { ...environmentOf(pages.home), ...own } };
    }

    test('commands, which print these calls', async () => {
      const { text, ids } = await copied('Command line', 'mouse');
      const lines = text.split('\n');
      const shown = lines.map(async (line) => {
        const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --json`], installed());
        const { calls } = JSON.parse(stdout) as { calls: readonly { id: string }[] };
        return calls[0]?.id;
      });
      expect(await Promise.all(shown)).toEqual(ids);
    });

    test('curl, which reads these calls', async () => {
      const { text, ids } = await copied('curl', 'keys');
      expect(text).not.toContain(pages.service.apiKey);
      const { stdout } = await promisify(execFile)('sh', ['-c', text], installed());
      const calls = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string });
      expect(calls.map(({ id }) => id).sort()).toEqual([...ids].sort());
    });

    test('a program in TypeScript, which reads these calls', async () => {
      const { text, ids } = await copied('TypeScript', 'mouse');
      expect(text).not.toContain(pages.service.apiKey);
      const { cwd, env } = installed();
      writeFileSync(join(cwd, 'copied.mts'), text);
      const { stdout } = await promisify(execFile)(process.execPath, ['--import', TSX, 'copied.mts'], { cwd, env });
      const calls = stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0] ?? '');
      expect(calls.sort()).toEqual([...ids].sort());
    });

    test('links, which open these calls', async () => {
      const { text, ids } = await copied('Link', 'keys');
      const page = await pages.open();
      for (const [index, link] of text.split('\n').entries()) {
        await page.goto(link);
        await page.getByRole('treegrid').getByRole('row', { selected: true }).waitFor();
        expect(new URL(page.url()).searchParams.get('call')).toBe(ids[index]);
      }
    });
  });

  describe('are exported', () => {
    async function exported(form: string): Promise<string> {
      const page = await openCalls();
      await rowAt(page, 2).getByRole('checkbox').click();
      await page.getByRole('button', { name: /^Export/ }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: `All ${ROOTS} calls of the filter as ${form}` }).click(),
      ]);
      return await readFile(await download.path(), 'utf8');
    }

    test('as JSONL: each call is a line, and whole', async () => {
      const lines = (await exported('JSONL')).trim().split('\n');
      const wanted = await rootsOf(pages.reader);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(wanted);
      expect(wanted).toHaveLength(ROOTS);
    });

    test('as JSONL, which another service imports', async () => {
      const text = await exported('JSONL');
      const { home, remove } = makeHome();
      const other = await startServiceProcess(home, [], { program: packedProgram() });
      onTestFinished(async () => {
        await other.stop();
        remove();
      });
      const file = join(home, 'calls.jsonl');
      await writeFile(file, text);
      expect(await runCli(home, 'import', file)).toMatchObject({ code: 0 });
      const there = createReader({ url: other.url, apiKey: other.apiKey, project: PROJECT });
      expect(await rootsOf(there)).toEqual(await rootsOf(pages.reader));
    });

    test('as CSV: a head, a line for each call, and no formula', async () => {
      const text = await exported('CSV');
      const [head = '', ...lines] = text.trim().split(/\r?\n(?=root-|")/);
      expect(head.split(',')).toContain('id');
      expect(lines).toHaveLength(ROOTS);
      expect(text).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
      expect(text).not.toMatch(/(?:^|,)"?[=+@]/m);
    });

    test('with how much has come so far, until one stops it', async () => {
      const page = await openCalls();
      const line = await page.context().newCDPSession(page);
      await line.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: 8000,
        uploadThroughput: -1,
      });
      const downloads: unknown[] = [];
      page.on('download', (download) => downloads.push(download));
      await rowAt(page, 2).getByRole('checkbox').click();
      await page.keyboard.press('e');
      await page.getByRole('menuitem', { name: /^All .* as JSONL$/ }).click();
      await page.getByText(/^Exporting, [1-9][\d.]* [kKMB]/).waitFor();
      // What is said lies on no foot.
      await page.keyboard.press('y');
      const said = page.getByRole('status').getByText(/cop/i);
      const [toast, works] = await Promise.all(
        [said, page.getByRole('region', { name: 'Under way' })].map(async (each) => await each.boundingBox()),
      );
      expect((toast?.y ?? Infinity) + (toast?.height ?? 0)).toBeLessThanOrEqual((works?.y ?? 0) - FOOT_PX);
      await page.getByRole('button', { name: 'Cancel: Exporting' }).click();
      await page.getByText('Export stopped').waitFor();
      expect(await page.getByText(/^Exporting/).count()).toBe(0);
      expect(downloads).toEqual([]);
    });
  });

  test('say so when what is done to them cannot be loaded, and how it can', async () => {
    const page = await pages.openAt('/threads', { mayBeSaid: /Failed to load resource/ });
    await page.route('**/assets/call-actions-*', (route) => route.abort());
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls`);
    await rowAt(page, 2).getByRole('checkbox').click();
    await page.keyboard.press('+');
    await page.getByText(/^This part of the page could not be loaded: /).waitFor();
    await page.unroute('**/assets/call-actions-*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(async () => await rowAt(page, 2).getAttribute('aria-selected')).not.toBe('true');
    await rowAt(page, 2).getByRole('checkbox').click();
    await page.keyboard.press('+');
    await page.getByText('Feedback given to 1 call').waitFor();
  });

  test('add up at the foot: calls, errors, latency, tokens and money, and what has no price', async () => {
    const page = await openCalls();
    const sums = await pages.reader.page.stats({ roots_only: true });
    const { count, errors, tokens, unpriced_models: unpriced } = sums;
    expect([count, errors > 0, tokens.total > 0, unpriced]).toEqual([ROOTS, true, true, ['model-of-nobody']]);
    expect(sums.latency_ms).toMatchObject({ p50: 1135, p95: 1346.5 });
    const foot = page.locator('footer');
    await foot.getByText(`${count} calls`).waitFor();
    await foot.getByText(`${errors} errors`).waitFor();
    await foot.getByText('p50 1.1 s').waitFor();
    await foot.getByText('p95 1.3 s').waitFor();
    await foot.getByText(`${tokens.total.toLocaleString('en')} tok`).waitFor();
    await foot.getByText('≥ $').waitFor();
    await foot.getByTitle('No price: model-of-nobody').waitFor();
    await foot.getByText('All received').waitFor();
  });

  test('are gone through one by one, also where feedback takes them out of the list', async () => {
    const page = await openCalls(`?q=${encodeURIComponent('-has:feedback')}`);
    const panel = page.getByRole('complementary', { name: 'Selected call' });
    const rowOf = (call: number) => page.getByRole('row').filter({ has: page.locator(`a[href*="call=root-${call}"]`) });
    const refs = async () => (await pages.reader.feedback.query()).map(({ svc_ref: ref }) => ref);
    // Sums come after the rows.
    await expect.poll(() => countIn(page)).toBeGreaterThan(0);
    const [before, count] = [await refs(), await countIn(page)];
    const wanted = [8, 9, 10];
    await rowOf(8).click();
    for (const [index, call] of wanted.entries()) {
      await panel.getByText(`Where is parcel ${call}?`).first().waitFor();
      await page.keyboard.press('+');
      await expect.poll(async () => (await refs()).length).toBe(before.length + index + 1);
      await page.keyboard.press('j');
    }
    await panel.getByText('Where is parcel 11?').first().waitFor();
    expect(await panel.getByRole('button', { name: 'Next call' }).isEnabled()).toBe(true);
    const given = (await refs()).filter((ref) => !before.includes(ref));
    expect(new Set(given)).toEqual(new Set(wanted.map((call) => `svc:///${PROJECT}/call/root-${call}`)));
    // Nothing is looked at any more: the list is what the filter asks for.
    await page.keyboard.press('Escape');
    await expect.poll(async () => await rowOf(8).count()).toBe(0);
    expect(await rowOf(11).count()).toBe(1);
    await expect.poll(() => countIn(page)).toBe(count - wanted.length);
  });
});

const rowAt = (page: Page, index: number) => page.locator(`[role=row][aria-rowindex="${index}"]`);

async function countIn(page: Page): Promise<number> {
  return Number(/([\d,]+)\s*calls?/.exec(await page.locator('footer').innerText())?.[1]?.replace(',', ''));
}

function rangeOf(page: Page): readonly [string, string] {
  const [after = '', before = ''] = (new URL(page.url()).searchParams.get('t') ?? '').split(',');
  return [after, before];
}

/** As a field for a date and a time wants it. */
function localText(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 19);
}

async function indexesOf(rows: Locator): Promise<readonly number[]> {
  const indexes = (await rows.all()).map(async (row) => Number(await row.getAttribute('aria-rowindex')));
  return (await Promise.all(indexes)).sort((one, other) => one - other);
}

async function idOf(page: Page, index: number): Promise<string> {
  const href = await rowAt(page, index).getByRole('link').first().getAttribute('href');
  return new URLSearchParams(href?.split('?')[1]).get('call') ?? '';
}

/** Over half a day; each holds more than is read at once over a slow line. */
async function seed(reader: Reader): Promise<void> {
  const now = Date.now();
  const records = Array.from({ length: ROOTS }, (_, index) =>
    recordsOf(ticket(index), now - 10 * MINUTE_MS - index * 15 * MINUTE_MS),
  );
  await writeRecords(reader, records.flat());
}

function ticket(index: number): Plan {
  const filling = Array.from({ length: 300 }, (_, part) => ((index + 1) * (part + 7) * 2_654_435_761).toString(36));
  const usage = { model: index % 3 === 0 ? 'model-of-nobody' : 'gpt-5-mini', input: 340 + index, output: 46 };
  return {
    id: `root-${index}`,
    op: 'answer',
    kind: 'agent',
    fromMs: 0,
    ms: 900 + index * 10,
    inputs: { message: index === 0 ? FORMULA : `Where is parcel ${index}?`, filling: filling.join(' ') },
    ...(index % 8 === 5 ? { exception: 'Error: no answer' } : { output: index === 0 ? FORMULA : 'On its way.' }),
    calls: [{ id: `chat-${index}`, op: 'chat', kind: 'llm', fromMs: 100, ms: 700, inputs: {}, output: 'Yes.', usage }],
  };
}

/** The first calls of all traces, the newest first. */
async function rootsOf(reader: Reader): Promise<unknown[]> {
  const calls: unknown[] = [];
  const sort_by = ['started_at', 'id'].map((field) => ({ field, direction: 'desc' as const }));
  for await (const call of reader.calls.query({ filter: { trace_roots_only: true }, sort_by })) calls.push(call);
  return calls;
}

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { seed } from '../../examples/seeds/day.ts';
import { servedPages } from './served-pages.ts';

const PROJECT = 'local/support-agent';
const ROW_PX = 28;

describe.skipIf(!hasBrowser)('the page of calls, in a browser', () => {
  const pages = servedPages({
    project: PROJECT,
    args: ['--storage', 'memory'],
    seed: async (reader) => await seed(reader, { traces: 300, now: Date.now() }),
  });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
    await rowAt(2).waitFor();
  });

  /** Rows count from 1, which is the head. */
  const rowAt = (index: number) => page.locator(`[role=row][aria-rowindex="${index}"]`);
  /** Without how long a call has been running, which goes on. */
  const textOf = async (index: number) =>
    (await rowAt(index).innerText()).replaceAll(/[\d.]+ (?:µs|ms|s|m|h)(?: \d+ [sm])?…/g, '…');
  const countInFoot = async () =>
    Number(/([\d,]+)\s*calls/.exec(await page.locator('footer').innerText())?.[1]?.replace(',', ''));

  /** Sums come after the rows. */
  const shownCount = async () => {
    await expect.poll(countInFoot).toBeGreaterThan(0);
    return await countInFoot();
  };

  test('a link logs in, and its token leaves the address', () => {
    expect(page.url()).toBe(`${pages.service.url}/ui/${PROJECT}/calls`);
  });

  test('without a session the page asks for a key, and goes on where one wanted to be', async () => {
    await page.context().clearCookies();
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls?roots=0`);
    await page.getByLabel('Key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('does not know this key').waitFor();
    await page.getByLabel('Key').fill(pages.service.apiKey);
    await page.keyboard.press('Enter');
    await rowAt(2).waitFor();
    expect(page.url()).toContain('/calls?roots=0');
  });

  test('a call that begins is there without a reload', async () => {
    const id = await writeCall(pages.reader, 'arrives_live');
    await page.getByText('arrives_live').first().waitFor();
    await pages.reader.calls.delete([id]);
    await expect.poll(() => page.getByText('arrives_live').count()).toBe(0);
  });

  test('new calls wait while rows are selected', async () => {
    await page.keyboard.press('x');
    const before = await textOf(5);
    await writeCall(pages.reader, 'waits_for_me');
    await page.getByText('1 new').waitFor();
    expect(await textOf(5)).toBe(before);
    await page.getByText('1 new').click();
    await page.getByText('waits_for_me').first().waitFor();
  });

  test('a filter is written with suggestions, by keys alone', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('status:err');
    await page.getByRole('option', { name: /^error/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=status:error/);
    await page.getByText('SMTPError').first().waitFor();
    await expect.poll(() => page.locator('[role=row] >> text=/^ok$/').count(), { timeout: 10_000 }).toBe(0);
  });

  test('of a choice that only rows and only the service can answer, rows are shown that meet either', async () => {
    await page.goto(
      `${pages.service.url}/ui/${PROJECT}/calls?q=${encodeURIComponent('cost>1000 or op:classify_intent')}`,
    );
    await rowAt(2).waitFor();
    const opsShown = async () => {
      const rows = await page.locator('[role=row]:not([aria-rowindex="1"])').allInnerTexts();
      return [...new Set(rows.map((text) => /answer_\w+|classify_\w+/.exec(text)?.[0]))];
    };
    await expect.poll(opsShown, { timeout: 10_000 }).toEqual(['classify_intent']);
  });

  test('rows that nobody can judge are not said to be none', async () => {
    const askedById = '**/x/calls/rows';
    await page.route(askedById, async (route) => {
      const isById = route.request().postData()?.includes('"call_ids"') === true;
      await (isById ? route.abort('internetdisconnected') : route.continue());
    });
    await page.goto(
      `${pages.service.url}/ui/${PROJECT}/calls?q=${encodeURIComponent('cost>1000 or op:classify_intent')}`,
    );
    await page.getByText('Calls could not be read').waitFor();
    expect(await page.getByText('No call matches').count()).toBe(0);
    await page.unroute(askedById);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await rowAt(2).waitFor();
    expect(await page.getByText('Calls could not be read').count()).toBe(0);
  });

  test('Enter looks at a call, j at the next one, Escape goes back to the list, and back to the same rows', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sel=/);
    const first = page.url();
    await page.getByRole('complementary').getByText('Input').first().waitFor();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.search.includes('sel='));
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.waitForURL(/\/trace\//);
    await page.goBack();
    await rowAt(2).waitFor();
    expect(page.url()).toBe(`${pages.service.url}/ui/${PROJECT}/calls`);
  });

  test('what is deleted comes back by Undo, and is gone without', async () => {
    const row = await textOf(8);
    const count = await shownCount();
    const kept = async () => (await pages.reader.page.stats({ roots_only: true })).count;
    const before = await kept();
    const remove = async () => {
      await rowAt(8).getByRole('checkbox').click();
      await page.keyboard.press('#');
      await expect.poll(async () => await textOf(8)).not.toBe(row);
    };
    await remove();
    await page.getByRole('button', { name: /Undo/ }).click();
    await expect.poll(async () => await textOf(8)).toBe(row);
    await remove();
    expect(await kept()).toBe(before);
    // Whoever leaves will not come back to Undo.
    await page.reload();
    await expect.poll(kept).toBe(before - 1);
    await expect.poll(countInFoot).toBe(count - 1);
  });

  test('a filter that cannot be read says where, leaves the list as it is and asks nothing, until it is mended', async () => {
    const wrong = 'latency>fast (';
    const row = await textOf(5);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(decodeURIComponent(request.postData() ?? '')));
    await page.keyboard.press('/');
    // All of it at once: the words that it begins with are a filter.
    await page.keyboard.insertText(wrong);
    await page.keyboard.press('Enter');
    const strip = (word: string) =>
      page.getByRole('alert').filter({ hasText: `at character ${wrong.indexOf(word) + 1}` });
    const isSaid = async () => {
      await strip('fast')
        .getByText(/^latency cannot be compared with "fast"; expected a time with its unit/)
        .waitFor();
      await strip('(').getByText('This parenthesis is never closed').waitFor();
      expect(await page.getByRole('alert').count()).toBe(2);
    };
    await isSaid();
    expect(await textOf(5)).toBe(row);
    expect(asked.filter((body) => body.includes('fast'))).toEqual([]);

    // Without a list from before there is none.
    await page.reload();
    await isSaid();
    await page.getByText('This filter cannot be read').waitFor();
    await page.getByRole('button', { name: 'Not live' }).waitFor();
    expect(asked.filter((body) => /"where":"[^"]*\(/.test(body))).toEqual([]);

    await page.keyboard.press('/');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('latency>1ms op:classify_intent');
    await page.keyboard.press('Enter');
    await rowAt(2).getByText('classify_intent').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('calls inside of others are shown beside those without a parent as one presses', async () => {
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls?t=all`);
    await rowAt(2).waitFor();
    const press = async (name: 'Roots' | 'All') => {
      const buttons = page.getByRole('group', { name: 'Rows' });
      await buttons.getByRole('button', { name, exact: true }).click();
      await buttons.getByRole('button', { name, exact: true, pressed: true }).waitFor();
      expect(await buttons.getByRole('button', { pressed: true }).count()).toBe(1);
    };
    const of = async (roots_only: boolean) => (await pages.reader.page.stats({ roots_only })).count;
    const [roots, all] = [await of(true), await of(false)];
    expect(all).toBeGreaterThan(roots);
    const inside = page.getByRole('grid').getByText('search_docs').first();
    await expect.poll(countInFoot).toBe(roots);
    expect(await inside.count()).toBe(0);
    await press('All');
    await page.waitForURL(/[?&]roots=0/);
    await inside.waitFor();
    await expect.poll(countInFoot).toBe(all);
    await press('Roots');
    await page.waitForURL(({ search }) => !search.includes('roots'));
    await expect.poll(countInFoot).toBe(roots);
    await inside.waitFor({ state: 'detached' });
  });

  describe('that is scrolled', () => {
    const list = () => page.locator('[role=rowgroup]');
    const top = async () => await list().evaluate((element) => element.scrollTop);
    /** Half a row further, as nobody stops at an edge. */
    const scrollTo = async (row: number) => {
      // It takes its place above the list when it comes.
      await page.getByRole('region', { name: /^Calls over time/ }).waitFor();
      await list().evaluate((element, to) => element.scrollTo({ top: to }), (row - 2) * ROW_PX + ROW_PX / 2);
      await expect.poll(top).toBe((row - 2) * ROW_PX + ROW_PX / 2);
      await rowAt(row + 3)
        .getByRole('link')
        .waitFor();
    };

    test.each([
      ['of the first page', 100],
      ['of a later page', 250],
    ])('is at the same rows when one comes back from a trace: %s', async (_, row) => {
      await page.goto(`${pages.service.url}/ui/${PROJECT}/calls?t=all&roots=0`);
      for (let next = 150; next < row; next += 150) await scrollTo(next);
      await scrollTo(row);
      const seen = [await textOf(row + 3), await rowAt(row + 3).boundingBox(), await top()];
      await rowAt(row + 3)
        .getByRole('link')
        .click();
      await page.waitForURL(/\/trace\//);
      await page.getByRole('treegrid').waitFor();
      await page.goBack();
      await rowAt(row + 3)
        .getByRole('link')
        .waitFor();
      await expect
        .poll(async () => [await textOf(row + 3), await rowAt(row + 3).boundingBox(), await top()])
        .toEqual(seen);
    });

    test('begins at the top with other calls, and is at the same rows when one comes back to these', async () => {
      await scrollTo(80);
      const seen = [await textOf(83), await top()];
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await page.waitForURL(/[?&]roots=0/);
      await page.getByRole('grid').getByText('search_docs').first().waitFor();
      await expect.poll(top).toBe(0);
      await page.goBack();
      await rowAt(83).getByRole('link').waitFor();
      await expect.poll(async () => [await textOf(83), await top()]).toEqual(seen);
    });
  });

  describe('that calls come to', () => {
    const shown = (of: Page, op: string) => of.getByRole('grid').getByText(op, { exact: true });
    const live = (word: 'Live' | 'Paused') => page.getByRole('button', { name: word, exact: true });

    /** Writes a call, and waits until a window beside this one shows it. */
    async function arrives(op: string, beside: Page): Promise<void> {
      const id = await writeCall(pages.reader, op);
      onTestFinished(async () => void (await pages.reader.calls.delete([id])));
      await shown(beside, op).waitFor();
      // What this window was told at the same time it has drawn by now.
      for (const _ of [1, 2, 3]) await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    }

    async function openBeside(): Promise<Page> {
      const beside = await pages.open();
      await beside.getByRole('button', { name: 'Live', exact: true }).waitFor();
      return beside;
    }

    test.each([
      ['a key', async () => await page.keyboard.press('ControlOrMeta+.')],
      ['the button', async () => await page.getByRole('button', { name: /^(?:Live|Paused)$/ }).click()],
    ])('takes none while one pauses by %s, and has all of them when one goes on', async (by, press) => {
      const op = `while_paused_by_${by.replace(' ', '_')}`;
      const beside = await openBeside();
      await live('Live').waitFor();
      await press();
      await live('Paused').waitFor();
      await page.waitForURL(/[?&]live=0/);
      await arrives(op, beside);
      expect(await shown(page, op).count()).toBe(0);
      expect(await page.getByText(/^[\d,]+\+? new$/).count()).toBe(0);
      await press();
      await live('Live').waitFor();
      await shown(page, op).waitFor();
    });

    test('hears of none while it is hidden, and asks once for what it missed', async () => {
      const beside = await openBeside();
      await live('Live').waitFor();
      await becomes('hidden');
      const asked: string[] = [];
      page.on('request', (request) => {
        const path = new URL(request.url()).pathname;
        // The rows that it has are asked about by their ids: they may be gone.
        const isOfKnown = request.postData()?.includes('"call_ids"') === true;
        if (path.startsWith('/x/calls/') && !path.endsWith('/stats'))
          asked.push(`${path}${isOfKnown ? ' by ids' : ''}`);
      });
      for (const part of ['first', 'second', 'third']) await arrives(`while_hidden_${part}`, beside);
      expect(asked).toEqual([]);
      expect(await shown(page, 'while_hidden_first').count()).toBe(0);
      await becomes('visible');
      for (const part of ['first', 'second', 'third']) await shown(page, `while_hidden_${part}`).waitFor();
      expect(asked.filter((path) => !path.endsWith('by ids')).sort()).toEqual(['/x/calls/changes', '/x/calls/rows']);
      // It goes on from there.
      await arrives('when_seen_again', beside);
      await shown(page, 'when_seen_again').waitFor();
      expect(asked.filter((path) => !path.endsWith('by ids')).sort()).toEqual(['/x/calls/changes', '/x/calls/rows']);
    });

    /** As the browser tells it of a tab: without a screen no window is ever hidden. */
    async function becomes(state: 'hidden' | 'visible'): Promise<void> {
      await page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      `);
    }
  });

  test('the whole filtered set is exported, not the rows on screen', async () => {
    const count = await shownCount();
    await page.keyboard.press('x');
    await page.keyboard.press('e');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(/^All .* as JSONL$/).click()]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(count);
    expect(download.suggestedFilename()).toBe('support-agent-calls.jsonl');
  });

  test('what a trace holds is text, whatever it says', async () => {
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls?roots=0&q=onerror`);
    await page.getByText('<img src=x onerror="alert(1)"> does not open').first().waitFor();
    expect(await page.locator('[role=row] img, [role=row] script').count()).toBe(0);
  });

  test('text that runs from right to left is cut at its end, and stands where the others do', async () => {
    const text = page.getByRole('grid').getByText('كيف يمكنني إرجاع الطلب', { exact: false }).first();
    await text.waitFor();
    const { direction, textAlign } = await text.evaluate((element) =>
      element.ownerDocument.defaultView.getComputedStyle(element),
    );
    expect({ direction, textAlign }).toEqual({ direction: 'rtl', textAlign: 'left' });
  });

  test('a service that is gone leaves what was shown, and is found again', async () => {
    const row = await textOf(5);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText(/Service gone since/).waitFor();
    await page.getByRole('button', { name: 'Roots', exact: true }).click();
    expect(await textOf(5)).toBe(row);
    await page.context().setOffline(false);
    await page.getByText(/Service gone since/).waitFor({ state: 'detached' });
  });
});

async function writeCall(reader: Reader, op: string): Promise<string> {
  const [answer] = await reader.calls.write([
    {
      mode: 'start',
      req: { start: { op_name: op, started_at: new Date().toISOString(), attributes: {}, inputs: { by: 'test' } } },
    },
  ]);
  return (answer as { id: string }).id;
}

import type { Locator, Page } from 'playwright-core';
import type { Call } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { servedPages } from './served-pages.ts';
import { writeSeeds } from '../../examples/seeds/write-seeds.ts';

const PROJECT = 'local/seeds';
/** Those which no other test of the page opens. */
const NAMES = [
  'rag',
  'streaming',
  'scripts',
  'hostile',
  'skew',
  'missing-parents',
  'deep',
  'long-string',
  '10k',
] as const;
const LEVELS = 1400;
/** A name in a tree keeps so much, however deep it is. */
const LEAST_NAME_PX = 220;
/** More lines than a window has room for, with those beyond its edges. */
const MOST_ROWS = 120;
const STORED_CHARACTERS = 20 * 1024 * 1024;
const INLINE_CHARACTERS = 12 * 1024 * 1024;
const PREVIEW_CHARACTERS = 2000;

describe.skipIf(!hasBrowser)('what is large or odd', () => {
  const paths = new Map<string, string>();
  const pages = servedPages({
    project: PROJECT,
    args: ['--storage', 'memory'],
    seed: async (reader) => {
      for (const name of NAMES) paths.set(name, (await writeSeeds(reader, [name]))[0] ?? '');
    },
  });

  /** A window at the page that a seed names. */
  const openSeed = async (name: (typeof NAMES)[number], options?: Parameters<typeof pages.openAt>[1]) =>
    await pages.openAt(`/${paths.get(name) ?? ''}`, options);

  async function callsOf(name: (typeof NAMES)[number]): Promise<readonly Call[]> {
    const traceId = (paths.get(name) ?? '').replace('trace/', '');
    const calls: Call[] = [];
    for await (const call of pages.reader.calls.query({ filter: { trace_ids: [traceId] } })) calls.push(call);
    return calls;
  }

  test('questions over documents: those that failed are listed, each leads to the step that failed', async () => {
    const page = await openSeed('rag');
    const failed = page.getByRole('grid').getByRole('row').filter({ hasText: 'ask_documents' });
    await expect.poll(() => failed.count()).toBe(4);
    await failed
      .filter({ hasText: /IndexError|shard 3 of/ })
      .first()
      .getByRole('link')
      .first()
      .click();
    await page.waitForURL(/\/trace\//);
    await rowOf(page, 'ask_documents').click();
    await page.getByRole('button', { name: 'Next error' }).click();
    await detail(page).getByRole('heading', { name: 'search', exact: true }).waitFor();
    await detail(page).getByText('shard 3 of "help-pages" is not open').first().waitFor();
    // What was behind the step did not begin.
    expect(await rowOf(page, 'answer').count()).toBe(0);
    expect(await unreadableIn(page)).toEqual([]);
  });

  test('answers that came in parts: whole, left early, failed on the way, and one that still comes', async () => {
    const page = await openSeed('streaming');
    await page.getByText('5 of 5 received').waitFor();
    await rowOf(page, 'whole').click();
    await detail(page).getByText('First token', { exact: true }).waitFor();
    expect(await detail(page).locator('dl').first().innerText()).toMatch(/First token\s+240 ms/i);
    await rowOf(page, 'left_early').click();
    await detail(page).getByRole('heading', { name: 'left_early' }).waitFor();
    await detail(page)
      .getByText('Your parcel left the warehouse on 21 November. It takes thre', { exact: true })
      .waitFor();
    await rowOf(page, 'failed_on_the_way').click();
    await detail(page).getByText('the other side closed the stream after 48 chunks').first().waitFor();
    const time = rowOf(page, 'still_comes').getByText(/ s…$|m \d\d s…$/);
    const before = await time.innerText();
    await expect.poll(() => time.innerText()).not.toBe(before);
    expect(await unreadableIn(page)).toEqual([]);
  });

  test.each([1440, 390])('texts in any script stand as they were written, at %i pixels', async (width) => {
    const page = await openSeed('scripts', { width, hasTouch: width < 720 });
    await rowOf(page, 'write_in_scripts').waitFor();
    for (const { id, op_name: op, inputs } of await callsOf('scripts')) {
      const [{ content } = { content: '' }] = inputs['messages'] as readonly { readonly content: string }[];
      await page.goto(`${pages.service.url}/ui/${PROJECT}/${paths.get('scripts')}?call=${id}&tab=chat`);
      if (width < 720) await page.getByRole('button', { name: 'Open', exact: true }).click();
      const said = page.getByRole('tabpanel').getByRole('article').getByText(content, { exact: true }).first();
      await said.waitFor();
      expect({ op, isRightToLeft: await isRightToLeft(said) }).toEqual({
        op,
        isRightToLeft: /^[\u0590-\u06ff]/.test(content),
      });
      expect({ op, wider: await widerIn(page) }).toEqual({ op, wider: [] });
    }
    expect(await unreadableIn(page)).toEqual([]);
  });

  test.each([
    ['返品方法', 'japanese'],
    ['保修期内', 'chinese'],
    ['뚜껑이', 'korean'],
    ['أين طلبي', 'arabic'],
    ['הקומקום', 'hebrew'],
    ['ढक्कन', 'hindi'],
    ['ฝากาน้ำ', 'thai'],
    ['👩🏽‍🔧', 'emoji'],
  ])('"%s" is found', async (text, op) => {
    const page = await pages.openAt(`/calls?q=${encodeURIComponent(text)}`);
    await page.locator('footer').getByText('1 call', { exact: true }).first().waitFor();
    await expect.poll(() => page.getByRole('grid').getByRole('row').filter({ hasText: op }).count()).toBe(1);
  });

  test('text that would do something stays text in every tab of every call, and in the thread', async () => {
    const page = await openSeed('hostile');
    const calls = await callsOf('hostile');
    expect(calls).toHaveLength(5);
    for (const { id, op_name: op } of calls) {
      for (const tab of ['io', 'chat', 'attributes', 'usage', 'raw']) {
        await page.goto(`${pages.service.url}/ui/${PROJECT}/${paths.get('hostile')}?call=${id}&tab=${tab}`);
        await page.getByRole('tabpanel').getByText(/\w/).first().waitFor();
        expect({ op, tab, taken: await takenIn(page) }).toEqual({ op, tab, taken: [] });
      }
    }
    const thread = encodeURIComponent(calls[0]?.thread_id ?? '');
    for (const path of [
      '/calls?roots=0&q=op%3Akeys',
      '/threads',
      `/threads/${thread}`,
      `/${paths.get('hostile')}?as=flame`,
    ]) {
      await page.goto(`${pages.service.url}/ui/${PROJECT}${path}`);
      await page.getByText('onerror', { exact: false }).first().waitFor();
      expect({ path, taken: await takenIn(page) }).toEqual({ path, taken: [] });
    }
  });

  test('what turns text round, or is not seen, is written out', async () => {
    const controls = (await callsOf('hostile')).find(({ op_name: op }) => op === 'controls');
    const page = await openSeed('hostile');
    await page.goto(`${pages.service.url}/ui/${PROJECT}/${paths.get('hostile')}?call=${controls?.id}&tab=io`);
    const output = page.getByRole('tabpanel').getByText('back ⟨U+202E⟩gnirts a⟨U+202C⟩');
    await output.waitFor();
    expect(await output.innerText()).toMatch(/bell ⟨U\+0007⟩, escape ⟨U\+001B⟩\[31mred/);
  });

  test('calls whose clocks do not agree stand where their clocks say, none with a time below nothing', async () => {
    const page = await openSeed('skew');
    await page.getByText('7 of 7 received').waitFor();
    const times = {
      on_time: '1.00 s',
      clock_behind: 'clock skew 600 ms',
      below_it: '300 ms',
      ends_before_it_begins: '0 ms',
      outlives_its_caller: '3.00 s',
      no_time_at_all: '0 ms',
      clock_ahead: '500 ms',
    };
    const begins = new Map<string, number>();
    for (const [op, time] of Object.entries(times)) {
      expect(await wordsIn(rowOf(page, op))).toBe(`T ${op} ${time}`);
      const [bar, tree] = [
        await edgesOf(rowOf(page, op).locator('[class*=bar]').first()),
        await edgesOf(page.getByRole('treegrid')),
      ];
      begins.set(op, bar.left);
      expect({ op, isWithin: tree.left < bar.left && bar.left < bar.right && bar.right <= tree.right }).toEqual({
        op,
        isWithin: true,
      });
    }
    const inOrder = [...begins].toSorted(([, one], [, other]) => one - other).map(([op]) => op);
    expect(inOrder).toEqual([
      'clock_behind',
      'below_it',
      'on_time',
      'ends_before_it_begins',
      'outlives_its_caller',
      'no_time_at_all',
      'clock_ahead',
    ]);
    await rowOf(page, 'ends_before_it_begins').click();
    await detail(page).getByRole('heading', { name: 'ends_before_it_begins' }).waitFor();
    expect(await detail(page).locator('dl').first().innerText()).toMatch(/Latency\s+0 ms\s+Started\s+\+4\.30 s/i);
    expect(await negativesIn(page)).toEqual([]);
    for (const key of ['2', '3']) {
      await page.keyboard.press(key);
      await page.getByRole('group', { name: /Flame chart|merged stack/ }).waitFor();
      expect([key, await negativesIn(page)]).toEqual([key, []]);
    }
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls?roots=0&q=op:ends_before_it_begins`);
    const listed = page.getByRole('grid').getByRole('row').filter({ hasText: 'ends_before_it_begins' });
    await listed.getByText('0 ms', { exact: true }).waitFor();
    await page.locator('footer').getByText('p50').waitFor();
    expect([...(await negativesIn(page)), ...(await unreadableIn(page))]).toEqual([]);
  });

  test('calls whose callers never came are below a line that says so, and the head counts who is missing', async () => {
    const page = await openSeed('missing-parents');
    const head = page.getByRole('main').locator('header').first();
    await head.getByText('2 parents missing', { exact: true }).waitFor();
    await head.getByText('8 of 10 received', { exact: true }).waitFor();
    const rows = page.getByRole('treegrid').getByRole('row');
    const lines = (await rows.all()).map(
      async (row) => `${await row.getAttribute('aria-level')} ${await wordsIn(row)}`,
    );
    expect(await Promise.all(lines)).toEqual([
      '1 T is_here 900 ms',
      '2 T is_here_too 200 ms',
      '1 Detached × 3 without parent',
      ...['1', '2', '3'].flatMap((index) => [`2 T lost_${index} 120 ms`, `3 T below_${index} 60 ms`]),
    ]);
    expect([...(await negativesIn(page)), ...(await unreadableIn(page))]).toEqual([]);
    // The other one has no first call.
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls?roots=0&q=op:called_from_elsewhere`);
    await page.getByRole('grid').getByRole('link', { name: 'called_from_elsewhere' }).click();
    await head.getByText('1 parent missing', { exact: true }).waitFor();
    await head.getByRole('heading', { name: 'called_from_elsewhere' }).waitFor();
    await rows.filter({ hasText: 'Detached' }).getByText('× 1 without parent').waitFor();
    expect([...(await negativesIn(page)), ...(await unreadableIn(page))]).toEqual([]);
  });

  test.each([1440, 1920])(
    '1,400 levels: the deepest has its name whole and says how deep it is, at %i pixels',
    async (width) => {
      const page = await openSeed('deep', { width });
      const tree = page.getByRole('treegrid');
      await tree.getByRole('row').first().waitFor();
      await page.getByText('1,400 of 1,400 received').waitFor();
      expect(await tree.getByRole('row').count()).toBeLessThan(MOST_ROWS);
      // Those that still have room for it are moved to the right, and need no number.
      expect(await numberIn(tree.locator('[aria-level="2"]'))).toBe('');
      await tree.getByRole('row').first().click();
      await page.keyboard.press('End');
      const last = tree.locator(`[aria-level="${LEVELS}"]`);
      await last.and(page.locator('[aria-selected=true]')).waitFor();
      expect(await numberIn(last)).toBe(String(LEVELS));
      await detail(page)
        .getByText('"1!"')
        .or(detail(page).getByText('1!', { exact: true }))
        .first()
        .waitFor();
      for (const row of await tree.getByRole('row').all()) {
        const { room, isCut } = await nameIn(row);
        expect(room).toBeGreaterThanOrEqual(LEAST_NAME_PX);
        expect(isCut).toBe(false);
      }
      expect(await widerIn(page)).toEqual([]);
      await page.keyboard.press('Home');
      await tree.locator('[aria-level="1"][aria-selected=true]').waitFor();
      expect(await unreadableIn(page)).toEqual([]);
    },
  );

  test('1,400 levels on a phone: the deepest has a name and a number within the window', async () => {
    const page = await openSeed('deep', { width: 390, hasTouch: true });
    const tree = page.getByRole('treegrid');
    await tree.getByRole('row').first().click();
    await page.keyboard.press('End');
    const last = tree.locator(`[aria-level="${LEVELS}"]`);
    await last.waitFor();
    expect(await numberIn(last)).toBe(String(LEVELS));
    expect((await nameIn(last)).isCut).toBe(false);
    expect(await widerIn(page)).toEqual([]);
  });

  test.each(['flame', 'heavy'])('1,400 levels as a %s', async (form) => {
    const page = await openSeed('deep');
    await page.goto(`${pages.service.url}/ui/${PROJECT}/${paths.get('deep')}?as=${form}`);
    const chart = page.getByRole('group', { name: /Flame chart|merged stack/ });
    await chart.waitFor();
    await chart.click({ position: { x: 200, y: 4 } });
    await detail(page).getByRole('heading', { name: 'factorial' }).waitFor();
    expect(await unreadableIn(page)).toEqual([]);
  });

  test('a text of 20 MB says what it is, shows how it begins, and is had as a whole', async () => {
    const page = await openSeed('long-string');
    await rowOf(page, 'read_transcript').click();
    const panel = detail(page).getByRole('tabpanel');
    await panel.getByText('transcript.txt · text/plain, 21.0 MB, 20,971,520 characters').waitFor();
    expect(await panel.locator('pre').innerText()).toHaveLength(PREVIEW_CHARACTERS);
    const download = page.waitForEvent('download');
    await panel.getByRole('button', { name: 'download', exact: true }).click();
    expect(await bytesOf(await download)).toBe(STORED_CHARACTERS);
  });

  test('a text of 12 MB inside of a record shows how it begins, and is had as a whole', async () => {
    const page = await openSeed('long-string');
    await rowOf(page, 'join_lines').click();
    const panel = detail(page).getByRole('tabpanel');
    await panel.getByText('first 2,048 characters of 12,582,912 shown').waitFor();
    expect((await panel.innerText()).length).toBeLessThan(PREVIEW_CHARACTERS * 3);
    const download = page.waitForEvent('download');
    await panel.getByRole('button', { name: 'download 12.6 MB' }).click();
    expect(await bytesOf(await download)).toBe(INLINE_CHARACTERS);
    await page.getByRole('tab', { name: 'Raw' }).click();
    const head = panel.getByRole('button', { name: 'first 2.0 kB' });
    await head.click();
    await panel.getByText(/first [12],\d{3} characters of 12,\d{3},\d{3} shown/).waitFor();
    expect(await unreadableIn(page)).toEqual([]);
  });

  test('a trace of 10,000 calls is told whole, and its last call and its errors are reached by keys', async () => {
    const page = await openSeed('10k');
    const tree = page.getByRole('treegrid');
    await page.getByText('10,000 of 10,000 received').waitFor();
    await page.locator('main header').first().getByText('10,000', { exact: true }).waitFor();
    expect(await tree.getByRole('row').count()).toBeLessThan(MOST_ROWS);
    const { states } = await pages.reader.page.skeleton((paths.get('10k') ?? '').replace('trace/', ''));
    const failed = states.reduce((count, state) => count + Number(state === 1), 0);
    expect(failed).toBeGreaterThan(5);
    await page.getByRole('group', { name: 'Errors' }).getByText(`${failed} errors`).waitFor();
    await tree.getByRole('row').first().click();
    const visited = new Set<string>();
    for (let step = 0; step < failed; step++) {
      await page.keyboard.press('n');
      const callOf = () => new URL(page.url()).searchParams.get('call') ?? '';
      await expect.poll(() => callOf() !== '' && !visited.has(callOf())).toBe(true);
      await detail(page).getByText('no answer after 2 ms').first().waitFor();
      visited.add(callOf());
    }
    // As fast as a page with other work takes them: a row may be gone before the list has come to the next one.
    await page.evaluate(`(async () => {
      for (let press = 0; press < 4; press++) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve));
      }
    })()`);
    await tree.locator('[role=row]:focus').waitFor();
    await page.keyboard.press('End');
    const count = Number(await tree.getAttribute('aria-rowcount'));
    await tree.locator(`[aria-rowindex="${count}"][aria-selected=true]`).waitFor();
    await page.keyboard.press('2');
    await page.getByRole('group', { name: /^Flame chart/ }).waitFor();
    expect(await unreadableIn(page)).toEqual([]);
  });
});

const detail = (page: Page) => page.getByRole('complementary');
const rowOf = (page: Page, op: string) =>
  page
    .getByRole('treegrid')
    .getByRole('row')
    .filter({ has: page.locator(`[title^="${op}"]`) });

/** Words that stand where a number or a text should. */
async function unreadableIn(page: Page): Promise<readonly string[]> {
  const text = await page.locator('body').innerText();
  return [...text.matchAll(/\b(?:NaN|Infinity|undefined)\b|\[object \w+/g)].map(([word]) => word);
}

/** Numbers below nothing. */
async function negativesIn(page: Page): Promise<readonly string[]> {
  const text = await page.locator('body').innerText();
  return [...text.matchAll(/(?<![\w.:/])[-−–]\d[\d.,]*(?: \w+)?/g)].map(([number]) => number);
}

/** The words of a line. */
async function wordsIn(row: Locator): Promise<string> {
  return (await row.innerText()).trim().replaceAll(/\s+/g, ' ');
}

async function edgesOf(part: Locator): Promise<{ readonly left: number; readonly right: number }> {
  const box = await part.boundingBox();
  if (box === null) throw new Error('It is not shown');
  return { left: box.x, right: box.x + box.width };
}

async function isRightToLeft(text: Locator): Promise<boolean> {
  return await text.evaluate((element: { matches(selector: string): boolean }) => element.matches(':dir(rtl)'));
}

/** The number of a line that is no longer moved to the right, which stands before its kind. */
async function numberIn(row: Locator): Promise<string> {
  return await row.evaluate(
    (element: { querySelector(selector: string): { textContent: string } | null }) =>
      element.querySelector('[role=gridcell] > [class*=depth]')?.textContent ?? '',
  );
}

/** What a line of the tree leaves for its number and name, and whether the name is seen whole. */
async function nameIn(row: Locator): Promise<{ readonly room: number; readonly isCut: boolean }> {
  return await row
    .locator('[role=gridcell]')
    .first()
    .evaluate((cell: NameCell) => {
      const name = [...cell.children].find(({ textContent }) => textContent === 'factorial');
      const isCut = name === undefined || name.scrollWidth > name.clientWidth;
      return { room: cell.clientWidth - Number.parseFloat(cell.style.paddingLeft), isCut };
    });
}

interface NameCell {
  readonly clientWidth: number;
  readonly style: { readonly paddingLeft: string };
  readonly children: Iterable<{
    readonly textContent: string | null;
    readonly scrollWidth: number;
    readonly clientWidth: number;
  }>;
}

/** What reaches beyond the window, or beyond the panel that shows a call. */
async function widerIn(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`
    [document.documentElement, ...document.querySelectorAll('[role=tabpanel], [role=treegrid]')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.localName + ' ' + (element.getAttribute('role') ?? '') + ' is ' + element.scrollWidth)`);
}

/** Elements that some text has become. */
async function takenIn(page: Page): Promise<readonly string[]> {
  const foreign = [
    '[onerror], [onload], [onmouseover], iframe, style:not([data-vite-dev-id]), math, body script:not([src])',
    '[href^="javascript:"], [href^="data:"], [src*="198.51"], a[href^="//"]',
    // Links of the page have texts of others in them, too, as parts of its own addresses.
    'a[href^="http"]:not([target=_blank][rel~=noopener])',
  ].join(', ');
  return await page
    .locator(foreign)
    .evaluateAll((elements: readonly { outerHTML: string }[]) =>
      elements.map(({ outerHTML }) => outerHTML.slice(0, 200)),
    );
}

async function bytesOf(download: { createReadStream(): Promise<AsyncIterable<Buffer>> }): Promise<number> {
  let bytes = 0;
  for await (const part of await download.createReadStream()) bytes += part.length;
  return bytes;
}

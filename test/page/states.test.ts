import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { holdRequests, spoilRequests } from './held-requests.ts';
import { HUGE, seedStates, STATES } from './seed-states.ts';
import { servedPages } from './served-pages.ts';
import { violationsInBoth } from './violations.ts';

const PROJECT = 'local/states';

describe.skipIf(!hasBrowser)('a page', () => {
  const pages = servedPages({ project: PROJECT, seed: seedStates, args: ['--storage', 'memory'] });

  /** A window that shows a page of the project, or of another one. */
  async function openAt(path: string, project = PROJECT): Promise<Page> {
    const page = await pages.open({ mayBeSaid: /\b400\b/ });
    await page.goto(addressOf(path, project));
    return page;
  }
  const addressOf = (path: string, project = PROJECT) => `${pages.service.url}/ui/${project}${path}`;

  describe('without any data', () => {
    test('says how to send some, and who was refused, and goes on saying how long ago', async () => {
      const page = await openAt('/calls', 'local/never');
      await page.getByText(`Listening on ${pages.service.url}`).waitFor();
      for (const way of ['TypeScript', 'OpenTelemetry', 'curl']) {
        await page.getByRole('tab', { name: way }).click();
        await page.getByRole('button', { name: 'Copy step 1' }).waitFor();
      }
      const steps = (await page.locator('pre').allInnerTexts()).join('\n');
      expect(steps).toContain(`${pages.service.url}/call/start`);
      expect(steps).toContain('"project_id":"local/never"');
      await sendWithKey(pages.service.url, 'wrong');
      const line = page.getByText(/^Last request \d+ s ago from python-sdk 1\.4: 401 wrong key$/);
      await line.waitFor();
      const secondsAgo = async () => Number(/(\d+) s ago/.exec(await line.innerText())?.[1]);
      await expect.poll(secondsAgo).toBeGreaterThan(2);
      expect(await violationsInBoth(page)).toEqual([]);
    });

    test('has no threads, and says what makes one', async () => {
      const page = await openAt('/threads', 'local/never');
      await page.getByText('withThread(id, …)').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
    });

    test('has no runs, and says what makes one', async () => {
      const page = await openAt('/runs', 'local/never');
      await page.getByText('Each program that records calls is a run.').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
    });

    test.each([
      ['trace', '/trace/nothing', 'No calls in this trace'],
      ['thread', '/threads/nothing', 'This thread has no turns here'],
    ])('says that a %s is not there', async (_name, path, words) => {
      const page = await openAt(path);
      await page.getByText(words).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
    });
  });

  describe('of which a filter leaves nothing', () => {
    test('says what each part of it removes and what lies outside the time, and drops a part', async () => {
      const page = await openAt(`/calls?q=${encodeURIComponent('op:long_ago status:ok')}`);
      await page.getByText('No call matches').waitFor();
      await page.getByText('1 match outside the time range').waitFor();
      await page.getByText(/op:long_ago alone removes (?:\d+ of|all) \d+ calls/).waitFor();
      await page.getByText(/status:ok alone removes (?:\d+ of|all) \d+ calls/).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await page.getByRole('button', { name: 'Drop op:long_ago' }).click();
      await page.getByRole('grid').getByRole('link', { name: 'answer' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Search all time' }).click();
      await page.getByRole('grid').getByRole('link', { name: 'long_ago' }).waitFor();
    });

    test('shows all threads again', async () => {
      const page = await openAt('/threads?q=nobody');
      await page.getByText('No thread matches').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await page.getByRole('button', { name: 'Show all threads' }).click();
      await page.getByText(STATES.thread).waitFor();
    });
  });

  const READ = [
    { name: 'calls', path: '/calls', asked: '**/x/calls/rows', what: /Reading calls/, shown: 'partly_here' },
    {
      name: 'trace',
      path: `/trace/${STATES.partial}`,
      asked: '**/x/trace/skeleton',
      what: /Reading the trace, 0 B/,
      shown: 'partly_here',
    },
    {
      name: 'threads',
      path: '/threads',
      asked: '**/threads/stream_query',
      what: /Reading threads, 0/,
      shown: STATES.thread,
    },
    {
      name: 'thread',
      path: `/threads/${STATES.thread}`,
      asked: '**/x/calls/rows',
      what: /Reading the turns/,
      shown: 'Until Monday.',
    },
  ];

  describe.each(READ)('that reads: $name', ({ path, asked, what, shown }) => {
    test('has bars in its place, then says how much has come, and can be stopped and go on', async () => {
      const page = await openAt('/calls?q=op:nothing');
      const release = await holdRequests(page, asked);
      await page.goto(addressOf(path));
      await page.locator(BARS).first().waitFor();
      await page.getByText(what).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText(/^Stopped reading/).waitFor();
      expect(await page.locator(BARS).count()).toBe(0);
      await release();
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByText(shown).first().waitFor();
    });

    test('says what failed with the request, and reads again', async () => {
      const page = await openAt('/calls?q=op:nothing');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await spoilRequests(page, asked);
      // Once changes begin to be told the page reads by itself; here only the button is to do so.
      await holdRequests(page, '**/x/calls/changes*');
      await page.goto(addressOf(path));
      const strip = page.getByRole('alert').filter({ hasText: 'could not be read' });
      await strip.waitFor();
      const requestSaid = async () => /request (\S+)/.exec(await strip.innerText())?.[1] ?? '';
      expect(await requestSaid()).not.toBe('');
      // Of a list that is not there no changes are told.
      expect(await page.getByRole('button', { name: 'Connecting' }).count()).toBe(0);
      expect(await violationsInBoth(page)).toEqual([]);
      await strip.getByRole('button', { name: 'Copy' }).click();
      await page.getByText('Copied', { exact: true }).waitFor();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(await requestSaid());
      await page.unroute(asked);
      await strip.getByRole('button', { name: 'Retry' }).click();
      await page.getByText(shown).first().waitFor();
      expect(await strip.count()).toBe(0);
    });

    test('keeps what it shows when the service is gone, says so by itself, and finds it again', async () => {
      const page = await openAt(path);
      await page.getByText(shown).first().waitFor();
      await page.context().setOffline(true);
      const banner = page.getByText(/Service gone since \d\d:\d\d:\d\d\. What is shown is from then\./);
      await banner.waitFor();
      await page.getByText(shown).first().waitFor();
      expect(await page.getByRole('button', { name: 'Live', exact: true }).count()).toBe(0);
      expect(await violationsInBoth(page)).toEqual([]);
      await page.getByRole('button', { name: 'Reconnect' }).click();
      expect(await banner.count()).toBe(1);
      await page.context().setOffline(false);
      // Pressed where it still is: the page may find the service by itself in the meantime.
      await page
        .getByRole('button', { name: 'Reconnect' })
        .evaluateAll((buttons: readonly { click: () => void }[]) => buttons.forEach((button) => button.click()));
      await banner.waitFor({ state: 'detached' });
      await page.getByText(shown).first().waitFor();
    });
  });

  describe('of calls without an end', () => {
    test('tells those that run, with a time that goes on, from those that never ended', async () => {
      const page = await openAt('/calls');
      const row = (op: string) => page.getByRole('grid').getByRole('row').filter({ hasText: op });
      await row('die_early').getByText('never ended').waitFor();
      await row('run_on').getByText('running').waitFor();
      const time = row('run_on').getByText(/s…$/);
      const before = await time.innerText();
      await expect.poll(async () => await time.innerText()).not.toBe(before);
      expect(await row('die_early').getByText(/s…$/).count()).toBe(0);
      expect(await violationsInBoth(page)).toEqual([]);
    });

    test('of a trace: one runs on, one never ended', async () => {
      const page = await openAt(`/trace/${STATES.running}`);
      const number = page.locator('header').getByText(/s…$/).first();
      const before = await number.innerText();
      await expect.poll(async () => await number.innerText()).not.toBe(before);
      expect(await violationsInBoth(page)).toEqual([]);
      await page.goto(addressOf(`/trace/${STATES.neverEnded}`));
      await page.getByText('2 of 2 received', { exact: true }).waitFor();
      await page.getByRole('treegrid').getByText('no end').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
    });
  });

  test('of a trace on a phone leads from call to call, and back, by the bar on top', async () => {
    const page = await pages.open({ width: 390 });
    await page.goto(addressOf(`/trace/${STATES.neverEnded}`));
    const selected = page.getByRole('treegrid').getByRole('row', { selected: true });
    await selected.filter({ hasText: 'die_early' }).waitFor();
    await page.getByRole('button', { name: 'Next call' }).click();
    await selected.filter({ hasText: 'was_fast' }).waitFor();
    await page.getByRole('button', { name: 'Open' }).click();
    // What acts on the tree stands above the tree alone.
    await page.getByRole('textbox', { name: /^Find in trace/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Previous call' }).click();
    await page.getByRole('region', { name: 'Selected call' }).getByRole('heading', { name: 'die_early' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to calls' }).click();
    await page.waitForURL(/\/calls$/);
  });

  test('of a call whose tabs do not all fit has the chosen one in the window', async () => {
    const page = await pages.open({ width: 320 });
    await page.goto(addressOf(`/trace/${STATES.cached}?tab=raw`));
    await page.getByRole('button', { name: 'Open' }).click();
    const raw = page.getByRole('tab', { name: 'Raw', selected: true });
    await expect.poll(async () => await raw.evaluate((tab) => tab.getBoundingClientRect().right <= 320)).toBe(true);
  });

  test('of a trace says how many of its tokens came from a cache', async () => {
    const page = await openAt(`/trace/${STATES.cached}`);
    const words = async () => await page.locator('main header').first().innerText();
    await expect.poll(words).toMatch(/150\s*tok \(80 cached\)/);
  });

  test('of settings turns keys of one character off', async () => {
    const page = await openAt('/calls');
    await page.goto(`${pages.service.url}/ui/settings`);
    await page.getByRole('group', { name: 'Keys of one character' }).getByRole('button', { name: 'Off' }).click();
    await page.goto(addressOf('/calls'));
    await page.getByRole('grid').getByRole('row').nth(2).waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  test('of more than 20,000 calls opens with two levels, and says how many lie below', async () => {
    const page = await openAt(`/trace/${STATES.huge}`);
    const calls = 1 + HUGE.groups * (1 + HUGE.perGroup);
    await page
      .locator('header')
      .getByText(`${calls.toLocaleString('en')} calls`)
      .waitFor();
    const rows = page.getByRole('treegrid').getByRole('row');
    expect(await rows.count()).toBe(1 + HUGE.groups);
    await rows
      .nth(1)
      .getByText(`+ ${HUGE.perGroup.toLocaleString('en')}`)
      .waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
  });

  test('of a trace that is not whole says what is missing, whose clock is wrong and what was cut', async () => {
    const page = await openAt(`/trace/${STATES.partial}?call=partly-here&tab=io`);
    const head = page.getByRole('main').locator('header').first();
    await head.getByText('3 of 4 received', { exact: true }).waitFor();
    await head.getByText('1 parent missing', { exact: true }).waitFor();
    const tree = page.getByRole('treegrid');
    await tree.getByText('× 1 without parent').waitFor();
    await tree.getByRole('row').filter({ hasText: 'clock_behind' }).getByText('clock skew', { exact: true }).waitFor();
    const detail = page.getByRole('complementary');
    await detail.getByText('the original has 1,234,567 characters').waitFor();
    await detail.getByText('3,999 more of 4,000 items, not recorded').waitFor();
    await detail.getByText('not kept: too large for the service').waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
  });
});

/** Bars that stand where text will be, in a list or in the place of all of it. */
const BARS = '[aria-hidden=true] i, [aria-busy=true] i';

async function sendWithKey(url: string, key: string): Promise<void> {
  const answer = await fetch(`${url}/call/start`, {
    method: 'POST',
    headers: {
      'user-agent': 'python-sdk/1.4',
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`api:${key}`)}`,
    },
    body: '{}',
  });
  expect(answer.status).toBe(401);
}

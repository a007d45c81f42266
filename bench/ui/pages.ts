import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Target } from '../measure.ts';
import { percentile } from '../results.ts';
import type { Sample } from '../rounds.ts';
import { LIST_PROJECT, LIVE_PROJECT, TRACE_PROJECT, writeLive } from './seed.ts';
import { filesNamed, gzipKb } from './sizes.ts';
import { inPage, inWindow, type logIn } from './window.ts';

export interface Shown {
  readonly browser: Browser;
  readonly session: Awaited<ReturnType<typeof logIn>>;
  readonly target: Target;
}

/** What the first page asks for, and when it is there, by a browser that was never here. */
export async function measureFirst(shown: Shown): Promise<Sample> {
  return await inWindow(shown, `${shown.target.url}/ui/${LIST_PROJECT}/calls?t=all`, async (page) => {
    const firstRowsMs = await inPage<number>(page, 'rows', 20);
    await page.waitForLoadState('networkidle');
    const files = await inPage<string[]>(page, 'files');
    return {
      firstJsKb: gzipKb(files, '.js'),
      firstCssKb: gzipKb(files, '.css'),
      overlaysKb: gzipKb(filesNamed('jump-box', 'keys-help', 'peek-panel', 'dialog'), '.js'),
      markdownKb: gzipKb(filesNamed('markdown'), '.js'),
      firstPaintMs: await inPage<number>(page, 'firstPaint'),
      firstRowsMs,
    };
  });
}

const SCROLL = { pixels: 72_000, step: 120, atMostMs: 60_000 };
const KEYS = 30;

/** A list of everything, which is scrolled far down and then walked on by keys. */
export async function measureList(shown: Shown): Promise<Sample> {
  return await inWindow(shown, `${shown.target.url}/ui/${LIST_PROJECT}/calls?t=all&roots=0&live=0`, async (page) => {
    await inPage(page, 'rows', 20);
    await page.waitForLoadState('networkidle');
    const { frames, blank, reached } = await inPage<{ frames: number[]; blank: number; reached: number }>(
      page,
      'scroll',
      SCROLL,
    );
    if (reached < SCROLL.pixels) throw new Error(`The list was scrolled by ${reached} px only`);
    return {
      scrollP95Ms: percentile(frames, 0.95),
      scrollMaxMs: Math.max(...frames),
      scrollBlank: blank,
      listKeyMs: await keyMs(page),
    };
  });
}

async function keyMs(page: Page): Promise<number> {
  // The first key gives the focus to a row, and brings the list to it.
  await page.keyboard.press('j');
  await page.locator('[role=row][tabindex="0"]').waitFor();
  await inPage(page, 'watchKeys');
  for (let key = 1; key <= KEYS; key++) {
    // Up and down, as a folded trace has few rows.
    await page.keyboard.press(key % 2 === 1 ? 'j' : 'k');
    await inPage(page, 'keysShown', key);
  }
  return percentile(await inPage<number[]>(page, 'keysShown', KEYS), 0.95);
}

/** Rows of a tree that are there when it is painted. */
const TREE_ROWS = 8;

/** A trace that is opened from the list, by a browser that has shown none before. */
export async function measureTrace(shown: Shown, traceId: string, name: string): Promise<Sample> {
  return await inWindow(shown, `${shown.target.url}/ui/${TRACE_PROJECT}/calls?t=all`, async (page) => {
    await inPage(page, 'rows', 2);
    await page.waitForLoadState('networkidle');
    const before = await inPage<string[]>(page, 'files');
    const openMs = await inPage<number>(page, 'openTrace', traceId, TREE_ROWS);
    await page.waitForLoadState('networkidle');
    const heapMb = await heapMbOf(page);
    const files = (await inPage<string[]>(page, 'files')).filter((file) => !before.includes(file));
    return {
      [`${name}Ms`]: openMs,
      [`${name}Mb`]: heapMb,
      traceKb: gzipKb(files, '.js'),
      traceKeyMs: await keyMs(page),
    };
  });
}

/** Objects and the memory of arrays, after a collection. */
async function heapMbOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = (await session.send('Runtime.getHeapUsage')) as {
    readonly usedSize: number;
    readonly backingStorageSize?: number;
  };
  return (usedSize + backingStorageSize) / 1e6;
}

const LIVE = { forMs: 10_000, everyMs: 100, calls: 50 };

/** A list at its top, while calls arrive. */
export async function measureLive(shown: Shown, round: number): Promise<Sample> {
  const { target } = shown;
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  let from = round * 10_000;
  const write = async () => {
    await writeLive(target, agent, { from, calls: LIVE.calls });
    from += LIVE.calls;
  };
  await write();
  const sample = await inWindow(shown, `${target.url}/ui/${LIVE_PROJECT}/calls`, async (page) => {
    await inPage(page, 'rows', 20);
    await page.waitForLoadState('networkidle');
    const watching = inPage<{ frames: number[]; changesPerSec: number }>(page, 'watchList', LIVE.forMs);
    const startedAt = performance.now();
    for (let sent = 0; sent < LIVE.forMs / LIVE.everyMs; sent++) {
      await sleep(Math.max(0, startedAt + sent * LIVE.everyMs - performance.now()));
      await write();
    }
    const { frames, changesPerSec } = await watching;
    return { liveMaxMs: Math.max(...frames), livePerSec: changesPerSec };
  });
  agent.destroy();
  return sample;
}

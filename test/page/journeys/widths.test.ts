import type { Page } from 'playwright-core';
import { createReader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { faultsOf } from '../faults-of-width.ts';
import { seed } from '../../../examples/seeds/day.ts';
import { seedMedia } from '../../../examples/seeds/images.ts';
import { seedProcesses } from '../seed-processes.ts';
import { RUNS_PROJECT, seedRuns } from '../seed-runs.ts';
import { seedStory, STORY } from '../seed-story.ts';
import { servedPages } from '../served-pages.ts';
import { shownPages } from '../shown-pages.ts';

const PROJECT = 'local/support-agent';

/** A screen of 1,280 × 720 pixels at 200 %. */
const ZOOMED = { width: 640, height: 360 };
/** A list or a tree with room for less is none. */
const LEAST_LINES = 1;

describe.skipIf(!hasBrowser)('every page', () => {
  const pages = servedPages({
    project: PROJECT,
    seed: async (reader) => {
      const now = Date.now();
      await seed(reader, { traces: 60, now });
      await seedStory(reader, now);
      await seedMedia(reader, now);
      const { url, apiKey } = pages.service;
      await seedProcesses({ url, apiKey, project: PROJECT }, now);
      await seedRuns(createReader({ url, apiKey, project: RUNS_PROJECT }));
    },
    args: ['--storage', 'memory', '--editor', 'code', '--source-roots', '.'],
  });

  /** What `look` finds wrong on any of the pages, which the window shows one after another. */
  async function faultsOnAll(page: Page, look: (page: Page) => Promise<readonly string[]>): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const { name, path, ready, isLoggedIn } of shownPages(PROJECT, STORY)) {
      if (isLoggedIn === false) await page.context().clearCookies();
      await page.goto(`${pages.service.url}/ui${path}`);
      await ready(page);
      faults.push(...(await look(page)).map((fault) => `${name}: ${fault}`));
    }
    return faults;
  }

  test.each([360, 3840])(
    'has all it shows within a window of %i pixels, and what one touches is large enough',
    async (width) => {
      const page = await pages.open({ width, hasTouch: width < 720 });
      expect(await faultsOnAll(page, (shown) => faultsOf(shown, width < 720))).toEqual([]);
    },
  );

  test('has all it shows at 200 %, and lines to read where it has a list', async () => {
    const page = await pages.open({ width: ZOOMED.width });
    await page.setViewportSize(ZOOMED);
    const look = async () => [
      ...(await faultsOf(page, false)),
      ...(await hiddenBelow(page)),
      ...(await shortLists(page)),
    ];
    expect(await faultsOnAll(page, look)).toEqual([]);
  });

  test.each([false, true])(
    'has all that can be done with a selection in sight, beside a panel: %s',
    async (isBeside) => {
      const page = await pages.openAt(`/calls${isBeside ? '?why=1' : ''}`);
      await page.getByRole('row').nth(4).waitFor();
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByText('2 selected').waitFor();
      for (const width of isBeside ? [860, 1000, 1280, 1440, 1920] : [360, 390, 720, 860, 1000, 1280, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(async () => ({ width, outside: await outsideOfFoot(page) })).toEqual({ width, outside: [] });
      }
    },
  );

  test('keeps times, first words, keys and tabs whole in windows of tablets', async () => {
    const page = await pages.open({ width: 768 });
    const [project, trace] = [`${pages.service.url}/ui/${PROJECT}`, `trace/${STORY.traceId}?call=${STORY.calls.chat}`];
    await page.goto(`${project}/calls`);
    await page.getByRole('row').nth(4).click();
    await page.getByText('Open trace').waitFor();
    await expect.poll(() => overlapping(page, '[aria-label^="Calls over time"] [aria-hidden] span')).toEqual([]);
    await page.goto(`${project}/threads`);
    await page.getByRole('link', { name: /^t-/ }).first().waitFor();
    const words = await page.getByRole('columnheader', { name: 'Begins with' }).boundingBox();
    expect(words?.width).toBeGreaterThan(160);
    await page.setViewportSize({ width: 900, height: 900 });
    await page.goto(`${project}/${trace}`);
    const foot = page.locator('footer').filter({ hasText: 'all keys' });
    const [line, keys] = [await foot.boundingBox(), await foot.getByText('all keys').boundingBox()];
    expect((keys?.x ?? Infinity) + (keys?.width ?? 0)).toBeLessThanOrEqual((line?.x ?? 0) + (line?.width ?? 0));
    const tabs = page.getByRole('tablist', { name: 'Call' });
    for (const width of [768, 900, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    }
  });

  test('tells what is chosen, and how many and how long, in forced colours too', async () => {
    const page = await pages.open();
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await faultsOnAll(page, lostInForcedColours)).toEqual([]);
  });
});

/** Words that run into those before them. All are measured at one moment: the next one may bring others. */
async function overlapping(page: Page, selector: string): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const words = [...document.querySelectorAll(${JSON.stringify(selector)})];
    if (words.length < 2) return ['There are no two words'];
    const boxOf = (word) => word.getBoundingClientRect();
    return words
      .filter((word, index) => index > 0 && boxOf(words[index - 1]).right > boxOf(word).left)
      .map((word) => word.innerText);
  })()`);
}

/** Buttons of the foot that are not whole in it, and the pixels that are beyond its edge. All is measured at one moment. */
async function outsideOfFoot(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(async () => {
    // A window of another width is laid out anew in the frame after that in which the page learns of it.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    const foot = document.querySelector('main footer');
    const { right, bottom } = foot.getBoundingClientRect();
    const buttons = [...foot.querySelectorAll('button')].filter((button) =>
      button.checkVisibility({ visibilityProperty: true }) && button.closest('[aria-hidden=true]') === null);
    if (buttons.length === 0) return ['There is no button'];
    const outside = buttons.filter((button) => {
      const box = button.getBoundingClientRect();
      return box.right > right || box.bottom > bottom;
    }).map((button) => button.innerText);
    const beyond = foot.scrollWidth - foot.clientWidth;
    return beyond === 0 ? outside : [...outside, beyond + ' px'];
  })()`);
}

/** What can be pressed, lies outside of the window, and is in nothing that scrolls there. */
async function hiddenBelow(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const within = document.querySelector('dialog:modal') ?? document;
    const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('[aria-hidden=true], .vh') === null && element.getBoundingClientRect().height > 1;
    const scrolls = (element) => {
      for (let at = element.parentElement; at !== null; at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight) return true;
      return false;
    };
    // What skips to the content comes with the focus.
    const targets = within.querySelectorAll('button, a[href]:not([href^="#"]), input, [role=option], [role=tab]');
    return [...targets].filter(isSeen).filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (top < -1 || bottom > innerHeight + 1) && !scrolls(element);
    }).map((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.innerText;
      return element.localName + ' ' + name.slice(0, 40) + ' lies at ' + Math.round(top) + ' to ' + Math.round(bottom);
    });
  })()`);
}

/** Lists and trees that have room for hardly a line. */
async function shortLists(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const lines = [...document.querySelectorAll('[role=grid] [role=row], [role=treegrid] [role=row]')];
    const scrollerOf = (element) => {
      for (let at = element.parentElement; at !== null; at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
      return document.documentElement;
    };
    const scrollers = new Map(lines.map((line) => [scrollerOf(line), line]));
    return [...scrollers].filter(([scroller]) => scroller.checkVisibility()).flatMap(([scroller, line]) => {
      const { top, bottom } = scroller.getBoundingClientRect();
      const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
      const wanted = ${LEAST_LINES} * line.getBoundingClientRect().height;
      return height < wanted ? ['a list has ' + Math.round(height) + ' px for lines of ' + wanted / ${LEAST_LINES}] : [];
    });
  })()`);
}

/**
 * What tells a state or a number by a colour that the system replaces: something chosen that looks like its neighbours, and
 * bars that have the colour of what they stand on.
 */
async function lostInForcedColours(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const nameOf = (element) => (element.getAttribute('role') ?? element.localName) + ' ' +
      (element.getAttribute('aria-label') ?? element.innerText ?? '').slice(0, 40).replaceAll('\\n', ' ');
    // What is clear shows the ground, which the system chooses.
    const ground = getComputedStyle(document.body).backgroundColor;
    const isClear = (colour) => colour === ground || /, 0\\)$/.test(colour);
    const seen = (colour) => (isClear(colour) ? ground : colour);
    const lookOf = (element) => [undefined, '::before', '::after'].map((part) => {
      const style = getComputedStyle(element, part);
      const lines = ['top', 'right', 'bottom', 'left'].map((side) =>
        style['border-' + side + '-width'] + style['border-' + side + '-style'] + style['border-' + side + '-color']);
      const outline = style.outlineStyle === 'none' ? '' : style.outlineStyle + style.outlineWidth + style.outlineColor;
      return [seen(style.backgroundColor), style.color, style.textDecorationLine, style.fontWeight, style.content, outline, ...lines].join();
    }).join() + [...element.querySelectorAll('svg')].filter((sign) => sign.checkVisibility()).map((sign) => sign.innerHTML).join();
    const holders = '[role=tablist], [role=group], [role=radiogroup], [role=listbox], [role=grid], [role=treegrid], nav, menu, header, ul, table';
    const faults = [];
    for (const state of ['aria-selected', 'aria-pressed', 'aria-current', 'aria-checked']) {
      const isOn = (element) => !['false', null].includes(element.getAttribute(state));
      for (const chosen of [...document.querySelectorAll('[' + state + ']')].filter((element) => isOn(element) && element.checkVisibility())) {
        const holder = chosen.closest(holders);
        const others = [...(holder?.querySelectorAll(chosen.localName) ?? [])].filter((other) =>
          other.getAttribute('role') === chosen.getAttribute('role') && other.className.split(' ')[0] === chosen.className.split(' ')[0] &&
          !isOn(other) && other !== document.activeElement && other.checkVisibility());
        if (others.length > 0 && others.every((other) => lookOf(other) === lookOf(chosen)))
          faults.push(nameOf(chosen) + ' is ' + state + ' and looks like ' + nameOf(others[0]));
      }
    }
    const isPainted = (element) => [undefined, '::before', '::after'].some((part) => {
      const { backgroundColor, backgroundImage, borderTopWidth, content } = getComputedStyle(element, part);
      if (part !== undefined && content === 'none') return false;
      return !isClear(backgroundColor) || backgroundImage !== 'none' || borderTopWidth !== '0px';
    });
    const bars = [...document.querySelectorAll('section[aria-label^="Calls over time"] [class*=plot] > i, [role=treegrid] [class*=bar]')]
      .filter((element) => element.getBoundingClientRect().height > 1 && element.getBoundingClientRect().width > 1);
    const lost = bars.filter((element) => !isPainted(element));
    if (lost.length > 0) faults.push(lost.length + ' of ' + bars.length + ' bars are not painted, as ' + lost[0].className);
    return faults;
  })()`);
}

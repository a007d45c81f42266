import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { seedStory, STORY } from '../seed-story.ts';
import { servedPages } from '../served-pages.ts';
import { hasOpenDetail } from '../shown-pages.ts';

const PROJECT = 'local/support-agent';
const WIDTHS = [360, 390, 480, 600, 720, 721, 800, 900, 1000, 1100, 1101, 1280, 1440, 1920];
/** From one of these on a page is laid out in another way, and has less room for its head. */
const STEPS = [0, 721, 1101, Infinity];

/** Less than is waited for a head without a fault. */
const SOON_MS = 3000;

interface Head {
  readonly name: string;
  readonly path: string;
  /** The element that the facts stand in. */
  readonly place: string;
  readonly ready: (page: Page) => Promise<unknown>;
  /** Facts in their order. */
  readonly facts: readonly RegExp[];
}

const HEADS: readonly Head[] = [
  {
    name: 'of a trace',
    path: `/trace/${STORY.traceId}?call=${STORY.calls.chat}`,
    place: 'main header:has(h1)',
    ready: async (page) => await page.getByText('(1,120 cached)').first().waitFor({ state: 'attached' }),
    facts: [/^4\.12 s$/, /^\d+ calls$/, /^[\d,]+ tok/, /^≥? ?\$[\d.]+$/, /received/],
  },
  {
    name: 'of a call',
    path: `/trace/${STORY.traceId}?call=${STORY.calls.chat}`,
    place: 'section[aria-label="Call"] > header',
    ready: hasOpenDetail,
    facts: [/^Latency\n?1\.24 s$/, /^First token\n?310 ms$/, /^Tokens in\n?1,870/, /^Out\n?440$/, /^Cost\n?\$/],
  },
  {
    name: 'of a thread',
    path: `/threads/${STORY.threadId}`,
    place: 'main header:has(h1)',
    ready: async (page) => await page.getByText('kettle').first().waitFor(),
    facts: [/^\d+ turns$/, /^[\d.]+ (?:ms|s|m|h|d)\b/, /^[\d,]+ tok/, /^≥? ?\$[\d.]+$/],
  },
];

describe.skipIf(!hasBrowser)('a head', () => {
  const pages = servedPages({
    project: PROJECT,
    seed: async (reader) => await seedStory(reader, Date.now()),
    args: ['--storage', 'memory'],
  });

  test.each(HEADS)('$name has each of its facts whole, or behind a button', async ({ path, place, ready, facts }) => {
    const page = await pages.openAt(path, { width: 1920 });
    const counts: number[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      // A phone shows a call when it is opened, another window beside its trace.
      await ready(page);
      await expect.poll(async () => await faultOf(page, place, facts), { message: `${width} px` }).toBe('');
      const whole = matched(await wholeOf(page, place), facts);
      counts.push(whole.length);
      // The first ones stay longest.
      expect(whole, `${width} px`).toEqual(facts.slice(0, whole.length));
    }
    for (const [index, from] of STEPS.slice(0, -1).entries()) {
      const to = STEPS[index + 1] ?? 0;
      const grown = counts.filter((_, at) => (WIDTHS[at] ?? 0) >= from && (WIDTHS[at] ?? 0) < to);
      expect(grown).toEqual(grown.toSorted((one, other) => one - other));
    }
    expect(counts.at(-1)).toBe(facts.length);
  });

  test('leads to the facts that have no room by keys, and back', async () => {
    const page = await pages.openAt(`/trace/${STORY.traceId}`, { width: 360, hasTouch: true });
    const more = page.locator('main header').getByRole('button', { name: 'More facts' }).first();
    await more.focus();
    await page.keyboard.press('Enter');
    const rest = page.getByRole('dialog', { name: 'More facts' });
    await rest.getByText('received').waitFor();
    await page.keyboard.press('Escape');
    await rest.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('More facts');
  });
});

function matched(texts: readonly string[], facts: readonly RegExp[]): readonly RegExp[] {
  return facts.filter((fact) => texts.some((text) => fact.test(text)));
}

/** Facts that are neither whole in the head nor behind its button, in words; empty: there is none. */
async function faultOf(page: Page, place: string, facts: readonly RegExp[]): Promise<string> {
  const whole = await wholeOf(page, place);
  const missing = facts.filter((fact) => !whole.some((text) => fact.test(text)));
  if (missing.length === 0) return '';
  const more = page.locator(place).getByRole('button', { name: 'More facts' });
  if ((await more.count()) === 0) return `no button leads to ${missing.join(', ')}`;
  // The head may measure itself and need no button any more: then it is looked at anew.
  await more.click({ timeout: SOON_MS });
  const rest = page.getByRole('dialog', { name: 'More facts' });
  const texts = await rest.locator('li, dl > div').allInnerTexts();
  await page.keyboard.press('Escape');
  await rest.waitFor({ state: 'detached' });
  const lost = missing.filter((fact) => !texts.some((text) => fact.test(text)));
  const both = facts.filter((fact) => !missing.includes(fact) && texts.some((text) => fact.test(text)));
  return [...lost.map((fact) => `${fact} is nowhere`), ...both.map((fact) => `${fact} is there twice`)].join(', ');
}

/** The texts of all elements of the head that are seen from end to end, and that nothing else lies on. */
async function wholeOf(page: Page, place: string): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const isWhole = (element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return false;
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (left < 0 || right > innerWidth || element.scrollWidth > element.clientWidth + 1) return false;
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).overflowX === 'visible') continue;
        const box = at.getBoundingClientRect();
        if (left < box.left - 1 || right > box.right + 1 || bottom > box.bottom + 1) return false;
      }
      const ends = [left + 1, right - 1].map((x) => document.elementFromPoint(x, (top + bottom) / 2));
      return ends.every((end) => end !== null && (element.contains(end) || end.contains(element)));
    };
    const head = document.querySelector(${JSON.stringify(place)});
    return [...head.querySelectorAll('span, dl > div')].filter(isWhole).map(({ innerText }) => innerText.trim());
  })()`);
}

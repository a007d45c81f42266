import type { Locator, Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { servedPages } from '../served-pages.ts';

const PROJECT = 'local/painted';
const HOUR_MS = 3_600_000;
const MINIMAP = '[role=slider][aria-label="Visible time"]';
const FLAME = '[role=group][aria-label^="Flame chart"]';
const HEAVY = '[role=group][aria-label*="merged stack"]';
/** In a row of the tree. */
const BAR = 'span[style*="--first-token"]';
/** Pixels that are neither empty nor whole. */
const FADED = 'faded';

describe.skipIf(!hasBrowser)('a trace is painted', () => {
  const pages = servedPages({ project: PROJECT, seed, args: ['--storage', 'memory'] });

  test('in the strip of its time: in the colours of kinds, red where it failed, and nothing where nothing was', async () => {
    const page = await pages.openAt('/trace/painted');
    const [agent, llm, other, err] = await coloursOf(page, [bar('agent'), bar('llm'), bar('other'), 'var(--err)']);
    await expect.poll(() => coloursAt(page, MINIMAP, 0.25)).toEqual([agent, llm]);
    expect(await coloursAt(page, MINIMAP, 0.35)).toEqual([agent]);
    expect(await coloursAt(page, MINIMAP, 0.5)).toEqual([agent, err]);
    expect(await coloursAt(page, MINIMAP, 0.84)).toEqual([agent, llm, other]);
  });

  test('as a flame: a box for each call, an edge of red where it failed, a ring, and nothing where nothing was', async () => {
    const page = await pages.openAt('/trace/painted?as=flame&call=failed');
    const [agent, llm, tool, other] = await boxesOf(page);
    const [err, accent, background] = await coloursOf(page, ['var(--err)', 'var(--accent)', 'var(--bg)']);
    await expect.poll(() => coloursAt(page, FLAME, 0.25)).toEqual([...agent, ...llm]);
    expect(await coloursAt(page, FLAME, 0.35)).toEqual(agent);
    const failed = [...agent, accent, background, err, tool[1], err, background, accent];
    expect(await coloursAt(page, FLAME, 0.5)).toEqual(failed);
    expect(await coloursAt(page, FLAME, 0.84)).toEqual([...agent, ...llm, ...other]);

    // The log did not hold up the end.
    const path = page.getByRole('button', { name: 'Critical path' });
    await path.click();
    await expect.poll(() => coloursAt(page, FLAME, 0.84)).toEqual([...agent, ...llm, FADED]);
    expect(await coloursAt(page, FLAME, 0.5)).toEqual(failed);
    await path.click();
    await expect.poll(() => coloursAt(page, FLAME, 0.84)).toEqual([...agent, ...llm, ...other]);
  });

  test('with what is heavy to the left: a box for each stack, as wide as it is heavy', async () => {
    const page = await pages.openAt('/trace/painted?as=heavy&call=log');
    const [agent, llm, tool, other] = await boxesOf(page);
    const [err, accent] = await coloursOf(page, ['var(--err)', 'var(--accent)']);
    // Of 10.5 s: 6 s of chats, 2 s of what failed, half a second of the log, and the rest is that of the root.
    await expect.poll(() => coloursAt(page, HEAVY, 0.56)).toEqual([...agent, ...llm]);
    expect(await coloursAt(page, HEAVY, 0.75)).toEqual([...agent, err, tool[1], err]);
    expect(await coloursAt(page, HEAVY, 0.79)).toEqual([...agent, accent, other[1], accent]);
    expect(await coloursAt(page, HEAVY, 0.82)).toEqual(agent);
  });

  test('with bars in the lines of the tree, from the start to the end of their calls', async () => {
    const page = await pages.openAt('/trace/painted?call=log');
    const [tool, err] = await coloursOf(page, [bar('tool'), 'var(--err)']);
    await expect.poll(() => shareOf(page, 'look')).toEqual([closeTo(0.4), closeTo(0.2)]);
    expect(await shareOf(page, 'answer')).toEqual([closeTo(0), closeTo(1)]);
    expect(await shareOf(page, 'log')).toEqual([closeTo(0.8), closeTo(0.05)]);
    const worn = async (property: string) => await styleOf(rowOf(page, 'look'), BAR, property);
    expect(await coloursOf(page, [await worn('backgroundColor'), await worn('outlineColor')])).toEqual([tool, err]);
    expect(await worn('outlineWidth')).toBe('2px');
    expect((await barOf(page, 'look').boundingBox())?.height).toBe(12);
  });

  test('with bars where they are in the stretch that is looked at', async () => {
    const page = await pages.openAt('/trace/painted?z=6500,10000');
    await expect.poll(() => shareOf(page, 'log')).toEqual([closeTo(1.5 / 3.5), closeTo(0.5 / 3.5)]);
    expect(await shareOf(page, 'answer')).toEqual([closeTo(0), closeTo(1)]);
    // It was over before.
    expect(await barOf(page, 'look').count()).toBe(0);
  });

  test('in lines that fade beside the critical path', async () => {
    const page = await pages.openAt('/trace/painted?call=failed');
    const path = page.getByRole('button', { name: 'Critical path' });
    await path.click();
    await expect.poll(() => opacityOf(page, 'log')).toBe('0.4');
    expect(await opacityOf(page, 'answer')).toBe('1');
    await path.click();
    await expect.poll(() => opacityOf(page, 'log')).toBe('1');
  });

  test('with idle time as a narrow stretch, until one wants to see it as long as it was', async () => {
    const page = await pages.openAt('/trace/idle?as=flame&call=after');
    const [agent] = await boxesOf(page);
    const [background, surface, thin] = await coloursOf(page, ['var(--bg)', 'var(--surface)', bar('agent')]);
    await expect.poll(() => coloursAt(page, FLAME, 0.492)).toEqual([background]);
    expect(await coloursAt(page, MINIMAP, 0.492)).toEqual([surface]);
    await page.getByRole('button', { name: 'Idle folded' }).click();
    await expect.poll(() => coloursAt(page, FLAME, 0.492)).toEqual(agent);
    await expect.poll(() => coloursAt(page, MINIMAP, 0.492)).toEqual([thin]);
    // The bars of the tree go by the same time.
    const after = page.getByRole('row', { selected: true });
    await page.keyboard.press('1');
    await expect.poll(() => shareIn(after)).toEqual([closeTo(0.9), closeTo(0.1)]);
    await page.getByRole('button', { name: 'Idle folded' }).click();
    await expect.poll(() => shareIn(after)).toEqual([closeTo(0.522), closeTo(0.478)]);
  });
});

const rowOf = (page: Page, name: string) => page.getByRole('treegrid').getByRole('row').filter({ hasText: name });
const laneIn = (row: Locator) => row.getByRole('gridcell').last();
const barIn = (row: Locator) => row.locator(BAR);
const barOf = (page: Page, name: string) => barIn(rowOf(page, name));
const bar = (kind: string) => `color-mix(in srgb, var(--kind-${kind}) 70%, var(--bg))`;
const box = (kind: string) => `color-mix(in srgb, var(--kind-${kind}) 30%, var(--bg))`;
/** A pixel of a lane is more than a thousandth of it. */
const closeTo = (share: number): unknown => expect.closeTo(share, 2);

/** Where the bar of a line begins in its lane, and how wide it is, as shares of the lane. */
async function shareIn(row: Locator): Promise<readonly number[]> {
  const [lane, drawn] = [await laneIn(row).boundingBox(), await barIn(row).boundingBox()];
  if (lane === null || drawn === null) return [];
  return [(drawn.x - lane.x) / lane.width, drawn.width / lane.width];
}

const shareOf = (page: Page, name: string) => shareIn(rowOf(page, name));

const opacityOf = async (page: Page, name: string) => await styleOf(rowOf(page, name), BAR, 'opacity');

/** What a part of a row wears. */
async function styleOf(row: Locator, part: string, property: string): Promise<string> {
  const selector = JSON.stringify(`#${await row.getAttribute('id')} ${part}`);
  return await row.page().evaluate(`getComputedStyle(document.querySelector(${selector})).${property}`);
}

/** Of each kind of the trace the edge of its boxes, and what is in them. */
async function boxesOf(page: Page): Promise<readonly [Box, Box, Box, Box]> {
  const one = async (kind: string) => (await coloursOf(page, [bar(kind), box(kind)])) as Box;
  return [await one('agent'), await one('llm'), await one('tool'), await one('other')];
}

type Box = [edge: string, inside: string];

/** How colours, whatever the way they are written, are as pixels. */
async function coloursOf(page: Page, formulas: readonly string[]): Promise<string[]> {
  return await page.evaluate(`(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    const probe = document.body.appendChild(document.createElement('i'));
    const colours = ${JSON.stringify(formulas)}.map((formula) => {
      probe.style.color = formula;
      context.fillStyle = getComputedStyle(probe).color;
      context.fillRect(0, 0, 1, 1);
      return context.getImageData(0, 0, 1, 1).data.slice(0, 3).join(' ');
    });
    probe.remove();
    return colours;
  })()`);
}

/** The colours of a canvas at a share of its width, from above; what is empty is none. */
async function coloursAt(page: Page, chart: string, share: number): Promise<readonly string[]> {
  const pixels: readonly number[] = await page.evaluate(`(() => {
    const canvas = document.querySelector(${JSON.stringify(`${chart} canvas`)});
    if (canvas === null || canvas.width === 0 || canvas.height === 0) return [];
    return [...canvas.getContext('2d').getImageData(Math.round(canvas.width * ${share}), 0, 1, canvas.height).data];
  })()`);
  const colours: string[] = [];
  for (let at = 0; at < pixels.length; at += 4) {
    const [red, green, blue, alpha] = pixels.slice(at, at + 4);
    const colour = alpha === 0 ? '' : alpha === 255 ? `${red} ${green} ${blue}` : FADED;
    if (colours.at(-1) !== colour) colours.push(colour);
  }
  return colours.filter((colour) => colour !== '');
}

function step(op: string, kind: string, [fromMs, toMs]: readonly [number, number]): Plan {
  return { op, kind, fromMs, ms: toMs - fromMs, inputs: { of: op }, output: null };
}

/** Ten seconds, with a second without a call before and behind the one that failed; and ten that were idle for eight. */
async function seed(reader: Reader): Promise<void> {
  const began = Date.now() - HOUR_MS;
  const painted: Plan = {
    ...step('answer', 'agent', [0, 10_000]),
    calls: [
      step('chat', 'llm', [0, 3000]),
      { ...step('look', 'tool', [4000, 6000]), id: 'failed', exception: 'Error: not found' },
      step('chat', 'llm', [7000, 10_000]),
      { ...step('log', 'other', [8000, 8500]), id: 'log' },
    ],
  };
  await writeRecords(reader, recordsOf(painted, began, { traceId: 'painted' }));
  const idle: Plan = {
    ...step('answer', 'agent', [0, 10_000]),
    calls: [step('chat', 'llm', [0, 1000]), { ...step('chat', 'llm', [9000, 10_000]), id: 'after' }],
  };
  await writeRecords(reader, recordsOf(idle, began, { traceId: 'idle' }));
}

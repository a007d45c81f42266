import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { servedPages } from '../served-pages.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

const PROJECT = 'local/markdown';
/** Messages of one conversation: of more the middle would be folded. */
const TOGETHER = 7;
const CONVERSATIONS = Math.ceil(HOSTILE_TEXTS.length / TOGETHER);

describe.skipIf(!hasBrowser)('markdown of others', () => {
  const pages = servedPages({ project: PROJECT, seed, args: ['--storage', 'memory'] });

  test('is text and a few plain elements, whatever it says: nothing runs, and nobody else is asked', async () => {
    const page = await pages.open();
    const faults: string[] = [];
    for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
      await page.goto(`${pages.service.url}/ui/${PROJECT}/trace/trace?call=chat-${conversation}&tab=chat`);
      const first = conversation * TOGETHER;
      for (const index of HOSTILE_TEXTS.keys()) {
        if (index < first || index >= first + TOGETHER) continue;
        const article = page
          .getByRole('tabpanel')
          .getByRole('article')
          .filter({ hasText: `begin-${index}.` });
        await article.locator('strong', { hasText: `begin-${index}.` }).waitFor();
        await article.getByText(`end-${index}.`).waitFor({ state: 'attached' });
      }
      faults.push(...(await foreignIn(page)).map((fault) => `conversation ${conversation}: ${fault}`));
      await page.mouse.move(1200, 500);
      await page.mouse.move(1200, 700);
    }
    expect(faults).toEqual([]);
    expect(await page.evaluate("'taken' in globalThis")).toBe(false);
  });

  test('has links that lead out of the page, without a hold of it', async () => {
    const page = await pages.openAt('/trace/trace?call=links&tab=chat');
    const link = page.getByRole('tabpanel').getByRole('link', { name: 'the manual' });
    expect(await link.getAttribute('href')).toBe('https://docs.example.test/a?b=1');
    expect(await link.getAttribute('target')).toBe('_blank');
    expect((await link.getAttribute('rel'))?.split(' ')).toEqual(expect.arrayContaining(['noopener', 'noreferrer']));
    await page.getByRole('tabpanel').getByRole('link', { name: 'image: a kettle' }).waitFor();
    expect(await page.getByRole('tabpanel').locator('img').count()).toBe(0);
  });
});

/** Elements and attributes that no text of a message may have become. */
async function foreignIn(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const faults = [];
    const tags = 'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul div';
    for (const holder of document.querySelectorAll('[role=tabpanel] article [class*=markdown]')) {
      for (const element of holder.querySelectorAll('*')) {
        if (!tags.split(' ').includes(element.localName)) faults.push('<' + element.localName + '>');
        for (const { name, value } of element.attributes) {
          const isFine = ['start', 'align', 'target', 'rel', 'title'].includes(name);
          if (name === 'href' ? !/^(https?:|mailto:)/i.test(value) : !isFine) faults.push(element.localName + ' ' + name + '=' + value);
        }
      }
    }
    return faults;
  })()`);
}

async function seed(reader: Reader): Promise<void> {
  const texts = HOSTILE_TEXTS.map((text, index) => `**begin-${index}.**\n\n${text}\n\nend-${index}.`);
  const conversations = Array.from({ length: CONVERSATIONS }, (_, index) =>
    chat(`chat-${index}`, texts.slice(index * TOGETHER, (index + 1) * TOGETHER)),
  );
  const links =
    '**See** [the manual](https://docs.example.test/a?b=1) ![a kettle](https://docs.example.test/kettle.png)';
  const root: Plan = { ...chat('root', ['Hello']), calls: [...conversations, chat('links', [links])] };
  await writeRecords(reader, recordsOf(root, Date.now() - 60_000, { traceId: 'trace' }));
}

function chat(id: string, texts: readonly string[]): Plan {
  const messages = texts.map((content) => ({ role: 'user', content }));
  return { id, op: id, kind: 'llm', fromMs: 0, ms: 90, inputs: { messages }, output: 'Yes.' };
}

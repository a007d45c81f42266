import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What `axe.source` holds is twice as long, and each page has to read it anew. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Rules about colours; all others say the same of a page in any of them. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** One line for each element that breaks a rule: of those that `runOnly` names, or all. */
export async function violationsOf(
  page: Page,
  runOnly: RunOnly = { type: 'tag', values: TAGS },
): Promise<readonly string[]> {
  const isThere = await page.evaluate<boolean>("'axe' in window");
  if (!isThere) await page.evaluate(SOURCE);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** The same in light, as a system says it, and in dark what colours are in. */
export async function violationsInBoth(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await violationsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await violationsOf(page, { type: 'rule', values: COLOUR_RULES });
  return [...inLight.map((line) => `light: ${line}`), ...inDark.map((line) => `dark: ${line}`)];
}

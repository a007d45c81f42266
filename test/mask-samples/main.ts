import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SECRETS } from '../../src/testing/masking/secret-corpus.ts';
import { compileMask } from '../../src/tracing/mask/mask.ts';

// How masking compares with the rules of secretlint, as npm has them today: they look at each secret of the corpus as
// it is, and at what masking leaves of it. Nothing of them is kept. Fails for no result: a person reads it.

const CORE = '@secretlint/core';
const PRESET = '@secretlint/secretlint-rule-preset-recommend';

interface Finding {
  readonly ruleId: string;
  readonly range: readonly [number, number];
}

interface Core {
  lintSource(this: void, what: object): Promise<{ readonly messages: readonly Finding[] }>;
}

const folder = mkdtempSync(join(tmpdir(), 'mask-samples-'));
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const options = ['--no-fund', '--no-audit', '--ignore-scripts', '--silent'];
  execFileSync('npm', ['install', ...options, CORE, PRESET], { cwd: folder, stdio: 'inherit' });
  print(await findingsByRule());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function load(name: string): Promise<Record<string, unknown>> {
  const path = createRequire(join(folder, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}

/** How many findings each rule has in the secrets, and how many in what masking leaves of them. */
async function findingsByRule(): Promise<Map<string, { found: number; left: number }>> {
  const { lintSource } = (await load(CORE)) as unknown as Core;
  const { creator } = await load(PRESET);
  const config = { rules: [{ id: PRESET, rule: creator, options: {} }] };
  const mask = compileMask(undefined);
  const rules = new Map<string, { found: number; left: number }>();
  const add = async (text: string, field: 'found' | 'left') => {
    const source = { content: text, filePath: 'text.txt', ext: '.txt', contentType: 'text' };
    const { messages } = await lintSource({ source, options: { config } });
    for (const { ruleId, range } of messages) {
      // An address is found by its user, too, where the password is gone.
      if (text.slice(...range).includes(mask.replacement)) continue;
      const counts = rules.get(ruleId) ?? { found: 0, left: 0 };
      rules.set(ruleId, { ...counts, [field]: counts[field] + 1 });
    }
  };
  for (const { text } of SECRETS) {
    // oxlint-disable-next-line no-await-in-loop
    await add(text, 'found');
    // oxlint-disable-next-line no-await-in-loop
    await add(mask.text(text), 'left');
  }
  return rules;
}

function print(rules: ReadonlyMap<string, { found: number; left: number }>): void {
  let [found, left] = [0, 0];
  for (const [rule, counts] of [...rules].toSorted(([one], [other]) => one.localeCompare(other))) {
    console.log(`${rule}: ${counts.found - counts.left} of ${counts.found}`);
    found += counts.found;
    left += counts.left;
  }
  console.log(`all: ${found - left} of ${found} hidden (${Math.round((100 * (found - left)) / Math.max(found, 1))} %)`);
}

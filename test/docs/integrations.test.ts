import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MANIFESTS } from '../../src/integrations/manifests.ts';

const PAGE = readFileSync(new URL('../../docs/reference/integrations.md', import.meta.url), 'utf8');

interface ListedOps {
  readonly name: string;
  readonly methods: readonly { readonly opName: string; readonly kind: string }[];
}

/** LangChain tells of what programs make of it, by the names that these give. */
const LISTED = MANIFESTS.filter(({ name }) => name !== '@langchain/core');

test.each(LISTED)('every op of $name has its line with its kind, and every line its op', async ({ name, entry }) => {
  const module = (await import(`../../src/integrations/${entry}/${entry}.ts`)) as Readonly<Record<string, unknown>>;
  const listed = Object.values(module).find((value): value is ListedOps => Object(value)['name'] === name);
  const methods = listed?.methods ?? [];
  expect(methods, `src/integrations/${entry}/${entry}.ts exports no { name: '${name}', methods }`).not.toEqual([]);
  const section = PAGE.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `([\w.]+\.[\w.]+)` \| `(\w+)` \|/gm)].map(([, op, kind]) => [op, kind]);
  expect(rows).toEqual(methods.map(({ opName, kind }) => [opName, kind]));
});

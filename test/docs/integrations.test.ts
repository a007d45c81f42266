import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AI_SDK } from '../../src/integrations/ai-sdk/ai-sdk.ts';
import { ANTHROPIC } from '../../src/integrations/anthropic/anthropic.ts';
import { GOOGLE_GENAI } from '../../src/integrations/google-genai/google-genai.ts';
import { dotted, MCP_METHODS } from '../../src/integrations/mcp/mcp-methods.ts';
import { OPENAI } from '../../src/integrations/openai/openai.ts';
import { rangeText, TESTED_LIBRARIES, type TestedLibrary } from '../../src/protocol/process/tested-libraries.ts';

const PAGE = readFileSync(new URL('../../docs/reference/integrations.md', import.meta.url), 'utf8');

test('every library has its line with the tested versions, and every line its library', () => {
  const rows = [...PAGE.matchAll(/^\| `([\w@/-]+)` \| (\d.*?) \|/gm)].map(([, name, range]) => [name, range]);
  const names = Object.keys(TESTED_LIBRARIES) as TestedLibrary[];
  expect(rows).toEqual(names.map((name) => [name, rangeText(name)]));
});

const MCP = {
  name: '@modelcontextprotocol/sdk',
  methods: Object.entries(MCP_METHODS).map(([method, { kind }]) => ({ opName: `mcp.${dotted(method)}`, kind })),
};

test.each([OPENAI, ANTHROPIC, GOOGLE_GENAI, AI_SDK, MCP])(
  'every op of $name has its line with its kind, and every line its op',
  ({ name, methods }) => {
    const section = PAGE.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| `([\w.]+\.[\w.]+)` \| `(\w+)` \|/gm)].map(([, op, kind]) => [op, kind]);
    expect(rows).toEqual(methods.map(({ opName, kind }) => [opName, kind]));
  },
);

import { describe, expect, onTestFinished, test } from 'vitest';
import { machinePerTest } from '../flow/machine.ts';
import { startAnthropic } from '../integrations/anthropic-provider.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, type Format, UserProject } from './program.ts';

interface Library {
  /** As programs import it. */
  readonly name: string;
  readonly scenarios: URL;
  /** Makes the client, from `Library`. */
  readonly client: string;
  readonly start: () => Promise<Provider>;
  readonly ops: number;
  /** The model that answers most of the requests. */
  readonly model: string;
}

const OPENAI: Library = {
  name: 'openai',
  scenarios: new URL('../integrations/openai-scenarios.ts', import.meta.url),
  client: "new Library({ apiKey: 'sk-test', baseURL: process.env.PROVIDER + '/v1', maxRetries: 2 })",
  start: startOpenAI,
  ops: 10,
  model: 'plain-0613',
};

const ANTHROPIC: Library = {
  name: '@anthropic-ai/sdk',
  scenarios: new URL('../integrations/anthropic-scenarios.ts', import.meta.url),
  client: "new Library({ apiKey: 'sk-test', baseURL: process.env.PROVIDER, maxRetries: 2 })",
  start: startAnthropic,
  ops: 2,
  model: 'plain-20250514',
};

const IMPORTS: Readonly<Record<Format, (name: string) => string>> = {
  esm: (name) => `import Library from '${name}'; import { SCENARIOS } from './scenarios.mjs';`,
  cjs: (name) => `const Library = require('${name}'); const { SCENARIOS } = require('./scenarios.cjs');`,
};

function programOf({ name, client }: Library, format: Format): string {
  return `${IMPORTS[format](name)}
    const client = ${client};
    const main = async () => {
      for (const [name, scenario] of Object.entries(SCENARIOS)) {
        console.log(name, JSON.stringify(await scenario(client, Library)));
      }
    };
    main();`;
}

const EXTENSIONS = { esm: 'mjs', cjs: 'cjs' } as const;

const machine = machinePerTest();

const CASES: readonly (readonly [string, Format, Library])[] = [
  ['openai', 'esm', OPENAI],
  ['openai', 'cjs', OPENAI],
  ['openai-5', 'esm', OPENAI],
  ['openai-5', 'cjs', OPENAI],
  ['@anthropic-ai/sdk', 'esm', ANTHROPIC],
  ['@anthropic-ai/sdk', 'cjs', ANTHROPIC],
  ['anthropic-0', 'esm', ANTHROPIC],
  ['anthropic-0', 'cjs', ANTHROPIC],
];

describe('a program that knows nothing of Spoor', () => {
  test.each(CASES)(
    'prints with %s as %s byte for byte what it prints without, and is recorded',
    async (installedAs, format, library) => {
      const provider = await library.start();
      onTestFinished(() => provider.close());
      const main = `main.${EXTENSIONS[format]}`;
      const project = new UserProject({ [main]: programOf(library, format) });
      if (installedAs === library.name) project.link(library.name);
      else project.copy(library.name, installedAs);
      await project.compile(library.scenarios, `scenarios.${EXTENSIONS[format]}`, format);
      const env = { PROVIDER: provider.url };
      const bare = await project.run([main], machine.home, env);
      expect(bare).toMatchObject({ code: 0, stderr: '' });
      expect(await callsOf(machine.service)).toEqual([]);
      const captured = await project.run(['--import', 'spoor/register', main], machine.home, env);
      // One by one, as a page of them says nothing.
      for (const [index, line] of bare.stdout.split('\n').entries()) {
        expect(captured.stdout.split('\n')[index]).toBe(line);
      }
      expect({ ...captured, stdout: '' }).toEqual({ ...bare, stdout: '' });
      const calls = await callsOf(machine.service);
      expect(new Set(calls.map(({ op_name: name }) => name)).size).toBe(library.ops);
      expect(calls.filter(({ ended_at: endedAt }) => endedAt === null)).toEqual([]);
      const models = calls.flatMap(({ summary }) => Object.keys((summary?.['usage'] as object | undefined) ?? {}));
      expect(models.filter((model) => model === library.model).length).toBeGreaterThan(12);
    },
    120_000,
  );
});

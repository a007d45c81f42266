import { describe, expect, onTestFinished, test } from 'vitest';
import { machinePerFile } from '../flow/machine.ts';
import { startAnthropic } from '../integrations/anthropic-provider.ts';
import { startGoogle } from '../integrations/google-provider.ts';
import { installedVersions, type InstalledVersion, whyNotHere } from '../integrations/installed-versions.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, type Format, UserProject } from './program.ts';

interface Library {
  /** As programs import it. */
  readonly name: string;
  readonly scenarios: URL;
  /** Makes the client, from `Library`, its standard export or the one that is named. */
  readonly client: string;
  readonly exportName?: string;
  /** What goes with a major version, as it is installed here: by what programs import. */
  readonly companions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
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

const GOOGLE: Library = {
  name: '@google/genai',
  exportName: 'GoogleGenAI',
  scenarios: new URL('../integrations/google-scenarios.ts', import.meta.url),
  client: "new Library({ apiKey: 'AIza-test', httpOptions: { baseUrl: process.env.PROVIDER } })",
  start: startGoogle,
  ops: 4,
  model: 'plain-001',
};

const AI: Library = {
  name: 'ai',
  exportName: 'generateText',
  companions: {
    5: { '@ai-sdk/openai': 'ai-sdk-openai-2', zod: 'zod' },
    6: { '@ai-sdk/openai': '@ai-sdk/openai', zod: 'zod' },
    7: { '@ai-sdk/openai': 'ai-sdk-openai-4', zod: 'zod' },
  },
  scenarios: new URL('../integrations/ai-scenarios.ts', import.meta.url),
  client: 'scenarios.connect(process.env.PROVIDER)',
  start: startOpenAI,
  ops: 12,
  model: 'plain-0613',
};

const IMPORTS: Readonly<Record<Format, (library: Library) => string>> = {
  esm: ({ name, exportName = 'default' }) =>
    `import { ${exportName} as Library } from '${name}'; import * as scenarios from './scenarios.mjs';`,
  cjs: ({ name, exportName = 'default' }) =>
    `const { ${exportName}: Library } = require('${name}'); const scenarios = require('./scenarios.cjs');`,
};

function programOf(library: Library, format: Format): string {
  return `${IMPORTS[format](library)}
    const client = ${library.client};
    const main = async () => {
      for (const [name, scenario] of Object.entries(scenarios.SCENARIOS)) {
        console.log(name, JSON.stringify(await scenario(client, Library)));
      }
    };
    main();`;
}

const EXTENSIONS = { esm: 'mjs', cjs: 'cjs' } as const;

const machine = machinePerFile();

const CASES = [OPENAI, ANTHROPIC, GOOGLE, AI].flatMap((library) =>
  installedVersions(library.name).flatMap((version) =>
    (['esm', 'cjs'] as const).map((format): [string, string, Format, Library, InstalledVersion] => {
      return [library.name, version.version, format, library, version];
    }),
  ),
);

describe('a program that knows nothing of Spoor', () => {
  test.for(CASES)(
    'prints with %s %s as %s byte for byte what it prints without, and is recorded',
    { timeout: 240_000 },
    async ([, , format, library, version], { skip }) => {
      const reason = whyNotHere(version);
      if (reason !== undefined) return skip(reason);
      const { installedAs } = version;
      const main = `main.${EXTENSIONS[format]}`;
      const project = new UserProject({ [main]: programOf(library, format) });
      if (installedAs === library.name) project.link(library.name);
      else project.copy(library.name, installedAs);
      for (const [name, source] of Object.entries(library.companions?.[version.version.split('.')[0] ?? ''] ?? {}))
        project.linkAs(name, source);
      await project.compile(library.scenarios, `scenarios.${EXTENSIONS[format]}`, format);
      // A provider for each, as it refuses some requests the first time only.
      const run = async (...flags: string[]) => {
        const provider = await library.start();
        onTestFinished(() => provider.close());
        const finished = await project.run([...flags, main], machine.home, { PROVIDER: provider.url });
        return { ...finished, stderr: finished.stderr.replaceAll(/^\(node:\d+\)/gm, '(node)') };
      };
      const bare = await run();
      expect(bare).toMatchObject({ code: 0 });
      expect(await callsOf(machine.service)).toEqual([]);
      const captured = await run('--import', 'spoor/register');
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
  );
});

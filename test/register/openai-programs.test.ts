import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from '../flow/service-process.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, type Format, UserProject } from './program.ts';

const SCENARIOS = new URL('../integrations/openai-scenarios.ts', import.meta.url);

const BODY = `
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: process.env.PROVIDER, maxRetries: 2 });
  const main = async () => {
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      if (process.env.LEFT_OUT?.includes(name)) continue;
      console.log(name, JSON.stringify(await scenario(client, OpenAI)));
    }
  };
  main();
`;

const PROGRAMS: Readonly<Record<Format, string>> = {
  esm: `import OpenAI from 'openai'; import { SCENARIOS } from './scenarios.mjs'; ${BODY}`,
  cjs: `const OpenAI = require('openai'); const { SCENARIOS } = require('./scenarios.cjs'); ${BODY}`,
};

const EXTENSIONS = { esm: 'mjs', cjs: 'cjs' } as const;

let home: string;
let removeHome: () => void;
let service: ServiceProcess;
let provider: Provider;

beforeAll(buildOnce, 120_000);
beforeEach(async () => {
  ({ home, remove: removeHome } = makeHome());
  [service, provider] = await Promise.all([startServiceProcess(home), startOpenAI()]);
});
afterEach(async () => {
  await Promise.all([service.stop(), provider.close()]);
  removeHome();
});

const CASES: readonly (readonly [string, Format])[] = [
  ['openai', 'esm'],
  ['openai', 'cjs'],
  ['openai-5', 'esm'],
  ['openai-5', 'cjs'],
];

describe('a program that knows nothing of Spoor', () => {
  test.each(CASES)(
    'prints with %s as %s byte for byte what it prints without, and is recorded',
    async (installedAs, format) => {
      const extension = EXTENSIONS[format];
      const project = new UserProject({ [`main.${extension}`]: PROGRAMS[format] }).copy('openai', installedAs);
      await project.compile(SCENARIOS, `scenarios.${extension}`, format);
      const env = { PROVIDER: `${provider.url}/v1` };
      const bare = await project.run([`main.${extension}`], home, env);
      expect(bare).toMatchObject({ code: 0, stderr: '' });
      expect(await callsOf(service)).toEqual([]);
      const captured = await project.run(['--import', 'spoor/register', `main.${extension}`], home, env);
      // One by one, as a page of them says nothing.
      for (const [index, line] of bare.stdout.split('\n').entries()) {
        expect(captured.stdout.split('\n')[index]).toBe(line);
      }
      expect({ ...captured, stdout: '' }).toEqual({ ...bare, stdout: '' });
      const calls = await callsOf(service);
      const ops = new Set(calls.map(({ op_name: name }) => name));
      expect(ops.size).toBe(10);
      expect(calls.filter(({ ended_at: endedAt }) => endedAt === null)).toEqual([]);
      const models = calls.flatMap(({ summary }) => Object.keys((summary?.['usage'] as object | undefined) ?? {}));
      expect(models.filter((model) => model === 'plain-0613').length).toBeGreaterThan(15);
    },
    120_000,
  );
});

import { basename } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANTHROPIC } from '../../src/integrations/anthropic/anthropic.ts';
import { GOOGLE_GENAI } from '../../src/integrations/google-genai/google-genai.ts';
import type { Library as CapturedLibrary } from '../../src/integrations/api/capture-library.ts';
import { OPENAI } from '../../src/integrations/openai/openai.ts';
import { opNameOf } from '../../src/protocol/ref.ts';
import { machinePerFile } from '../flow/machine.ts';
import { startAnthropic } from '../integrations/anthropic-provider.ts';
import { startGoogle } from '../integrations/google-provider.ts';
import { installedVersions, type InstalledVersion, whyNotHere } from '../integrations/installed-versions.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { startUnreliable } from '../integrations/unreliable-provider.ts';
import { callsOf, type Format, UserProject } from './program.ts';

interface Library {
  /** As programs import it. */
  readonly name: string;
  /** The file of its requests. */
  readonly requests: URL;
  /** Makes a client for `url`, with `Library` or what `helper` exports. */
  readonly client: string;
  readonly exportName: string;
  /** A file that the program needs besides. */
  readonly helper?: URL;
  /** Where that is found, if not by the name of the library. */
  readonly module?: string;
  /** Answers the client with what records it, of the exports of this module. */
  readonly wrapped?: readonly [module: string, client: string];
  /** What goes with a version: by what programs import, as it is installed here. */
  readonly companions?: (version: InstalledVersion) => Readonly<Record<string, string>>;
  readonly start: () => Promise<Provider>;
  /** Does the library keep what is left of a stream for other readers? */
  readonly keepsLeft?: boolean;
  /** Calls that get no answer, at least. */
  readonly refused: number;
  /** What is recorded of it, where that is named one by one. */
  readonly captured?: CapturedLibrary;
}

const LIBRARIES: readonly Library[] = [
  {
    name: 'openai',
    requests: new URL('../integrations/openai-requests.ts', import.meta.url),
    client: "new Library({ apiKey: 'sk-test', baseURL: url + '/v1', maxRetries: 0, logLevel: 'off' })",
    exportName: 'OpenAI',
    wrapped: ['spoor/openai', 'exports.wrapOpenAI(client)'],
    start: startOpenAI,
    refused: 250,
    captured: OPENAI,
  },
  {
    name: '@anthropic-ai/sdk',
    requests: new URL('../integrations/anthropic-requests.ts', import.meta.url),
    client: "new Library({ apiKey: 'sk-test', baseURL: url, maxRetries: 0, logLevel: 'off' })",
    exportName: 'Anthropic',
    wrapped: ['spoor/anthropic', 'exports.wrapAnthropic(client)'],
    start: startAnthropic,
    refused: 100,
    captured: ANTHROPIC,
  },
  {
    name: '@google/genai',
    requests: new URL('../integrations/google-requests.ts', import.meta.url),
    client: "new Library({ apiKey: 'AIza-test', httpOptions: { baseUrl: url } })",
    exportName: 'GoogleGenAI',
    wrapped: ['spoor/google-genai', 'exports.wrapGoogleGenAI(client)'],
    start: startGoogle,
    refused: 50,
    captured: GOOGLE_GENAI,
  },
  {
    name: 'ai',
    requests: new URL('../integrations/ai-requests.ts', import.meta.url),
    helper: new URL('../integrations/ai-scenarios.ts', import.meta.url),
    client: 'helper.connect(url)',
    exportName: 'generateText',
    wrapped: ['spoor/ai-sdk', '({ ...client, ai: exports.wrapAISDK(client.ai) })'],
    companions: ({ version }) => ({ '@ai-sdk/openai': AI_PROVIDERS[version.split('.')[0] ?? ''] ?? '', zod: 'zod' }),
    start: startOpenAI,
    keepsLeft: true,
    refused: 100,
  },
  {
    name: '@langchain/openai',
    requests: new URL('../integrations/langchain-requests.ts', import.meta.url),
    client: '{ url }',
    exportName: 'HumanMessage',
    module: '@langchain/core/messages',
    companions: ({ nodeMajor }) => ({
      '@langchain/core': '@langchain/core',
      '@langchain/langgraph': nodeMajor > 20 ? '@langchain/langgraph' : 'langgraph-1-0',
    }),
    start: startOpenAI,
    refused: 60,
  },
];

const AI_PROVIDERS: Readonly<Record<string, string>> = {
  5: 'ai-sdk-openai-2',
  6: '@ai-sdk/openai',
  7: 'ai-sdk-openai-4',
};

const PROGRAM = new URL('../integrations/request-program.ts', import.meta.url);

const EXTENSIONS = { esm: 'mjs', cjs: 'cjs' } as const;

const IMPORT: Readonly<Record<Format, (names: string, from: string) => string>> = {
  esm: (names, from) => `import ${names} from '${from}';`,
  cjs: (names, from) => `const ${names.replace('* as ', '').replace(' as ', ': ')} = require('${from}');`,
};

function compiledName(file: URL, format: Format): string {
  return `${basename(file.pathname, '.ts')}.${EXTENSIONS[format]}`;
}

function mainOf(library: Library, format: Format): string {
  const [module, wrapped] = library.wrapped ?? ['spoor', 'client'];
  const add = (names: string, file: URL): string => IMPORT[format](names, `./${compiledName(file, format)}`);
  return `${IMPORT[format](`{ ${library.exportName} as Library }`, library.module ?? library.name)}
    ${add('{ makeRequests }', PROGRAM)} ${add('{ REQUESTS }', library.requests)}
    ${library.helper === undefined ? '' : add('* as helper', library.helper)}
    const make = (url) => (${library.client});
    const main = async () => {
      const exports = process.env.WRAP === undefined ? undefined : await import('${module}');
      const wrap = (client) => exports === undefined ? client : ${wrapped};
      const connect = (url) => wrap(make(url));
      await makeRequests({ ways: JSON.parse(process.env.WAYS), requests: REQUESTS, connect });
    };
    main();`;
}

async function programOf(library: Library, version: InstalledVersion, format: Format): Promise<UserProject> {
  const extension = EXTENSIONS[format];
  const project = new UserProject({ [`main.${extension}`]: mainOf(library, format) });
  if (version.installedAs === library.name) project.link(library.name);
  else project.copy(library.name, version.installedAs);
  for (const [name, source] of Object.entries(library.companions?.(version) ?? {})) project.linkAs(name, source);
  for (const file of [PROGRAM, library.requests, ...(library.helper === undefined ? [] : [library.helper])]) {
    await project.compile(file, compiledName(file, format), format);
  }
  return project;
}

/** Models of requests that get no answer. */
const REFUSED = /^way-(?:status-\d+|page|reset|refused|silent)$/;

type Call = Awaited<ReturnType<typeof callsOf>>[number];

function modelOf({ inputs }: Call): string {
  return String((inputs as { readonly model?: unknown }).model);
}

/** Some libraries end a stream that is aborted without an error. */
function isCancelled({ summary }: Call): boolean {
  return (summary?.['stream'] as { readonly reason?: string } | undefined)?.reason === 'cancel';
}

const machine = machinePerFile();

interface Case {
  readonly version: InstalledVersion;
  readonly format: Format;
}

const RUNS_ON_OLDEST = Number(process.versions.node.split('.')[0]) === 20;

/** Each run takes seconds: on the oldest Node every second version is one of ES modules, on others the rest of them are. */
function formatsOf({ nodeMajor }: InstalledVersion, index: number): readonly Format[] {
  if (nodeMajor > 20) return ['esm', 'cjs'];
  return [(index % 2 === 0) === RUNS_ON_OLDEST ? 'esm' : 'cjs'];
}

describe.each(LIBRARIES)('requests with $name', (library) => {
  const cases = installedVersions(library.name).flatMap((version, index) =>
    formatsOf(version, index).map((format): [string, Format, Case] => [version.version, format, { version, format }]),
  );
  test.for(cases)(
    '%s as %s: in every way that they end the program gets what it gets without, lives on, and every call ends',
    { timeout: 240_000 },
    async ([, , { version, format }], { skip }) => {
      const reason = whyNotHere(version);
      if (reason !== undefined) return skip(reason);
      const project = await programOf(library, version, format);
      const behind = await library.start();
      onTestFinished(() => behind.close());
      const provider = await startUnreliable(behind);
      onTestFinished(() => provider.close());
      const run = (flags: readonly string[], env: NodeJS.ProcessEnv) =>
        project.run(['--unhandled-rejections=strict', ...flags, `main.${EXTENSIONS[format]}`], machine.home, {
          WAYS: JSON.stringify(provider.ways),
          NODE_NO_WARNINGS: '1',
          ...env,
        });
      const bare = await run([], { SPOOR_DISABLED: '1' });
      expect({ ...bare, stdout: '' }).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
      const captured = [await run(['--import', 'spoor/register'], {})];
      if (library.wrapped !== undefined) captured.push(await run([], { WRAP: '1' }));
      for (const { stdout, ...ended } of captured) {
        expect(ended).toEqual({ code: 0, signal: null, stderr: '' });
        // One by one, as a page of them says nothing.
        for (const [index, line] of bare.stdout.split('\n').entries()) expect(stdout.split('\n')[index]).toBe(line);
      }
      const calls = await callsOf(machine.service);
      const ops = new Set(calls.map(({ op_name: op }) => opNameOf(op)));
      const wanted = library.captured?.methods.filter(({ isOptional }) => !isOptional) ?? [];
      expect(wanted.filter(({ opName }) => !ops.has(opName))).toEqual([]);
      const open = calls.filter(({ ended_at: endedAt }) => endedAt === null);
      const isLeft = (call: Call): boolean => library.keepsLeft === true && modelOf(call) === 'way-left';
      expect(open.filter((call) => !isLeft(call))).toEqual([]);
      const refused = calls.filter((call) => REFUSED.test(modelOf(call)));
      expect(refused.length).toBeGreaterThan(library.refused);
      expect(refused.filter((call) => call.exception === null && !isCancelled(call))).toEqual([]);
    },
  );
});

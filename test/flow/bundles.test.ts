import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { opNameOf } from '../../src/protocol/ref.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, type Format, UserProject } from '../register/program.ts';
import { machinePerFile } from './machine.ts';
import { ROOT } from './service-process.ts';

const machine = machinePerFile();
let provider: Provider;

beforeEach(async () => {
  provider = await startOpenAI();
});
afterEach(() => provider.close());

const REGISTER = ['--import', 'spoor/register'];
const OP = 'openai.chat.completions.create';

const ASK = `
const client = new OpenAI({ apiKey: 'sk-test', baseURL: process.env.PROVIDER });
const request = { model: 'plain', messages: [] };
`;

/** A program of one file with all packages in it but those that are named, in a folder that has only these. */
async function bundled(
  source: string,
  format: Format,
  external: readonly string[] = [],
  minify = true,
): Promise<UserProject> {
  const project = new UserProject();
  const main = `main.${format === 'esm' ? 'mjs' : 'cjs'}`;
  await build({
    stdin: { contents: source, resolveDir: ROOT },
    // Packages find themselves by their names here.
    alias: Object.fromEntries(
      [
        ['spoor/openai', 'openai.js'],
        ['spoor/otel', 'otel.js'],
        ['spoor', 'index.js'],
      ].map(([name = '', file = '']) => [name, join(ROOT, 'dist', file)]),
    ),
    bundle: true,
    minify,
    platform: 'node',
    format,
    external: [...external],
    outfile: join(project.folder, main),
    // What CommonJS packages in an ES module need.
    ...(format === 'esm'
      ? {
          banner: {
            js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
          },
        }
      : {}),
  });
  for (const name of external) project.link(name);
  return project;
}

const mainOf = (format: Format) => `main.${format === 'esm' ? 'mjs' : 'cjs'}`;
const opsOf = async () => (await callsOf(machine.service)).map(({ op_name: name }) => opNameOf(name));

describe.each(['esm', 'cjs'] as const)('a bundle of esbuild as %s', (format) => {
  const env = () => ({ PROVIDER: `${provider.url}/v1` });

  test.each([
    ['ends by itself', ''],
    ['is ended', 'process.exit(0);'],
  ])('with everything in it records functions and wrapped clients, when it %s', async (_how, end) => {
    const source = `import OpenAI from 'openai'; import { traced } from 'spoor'; import { wrapOpenAI } from 'spoor/openai'; ${ASK}
      const answer = traced(async () => (await wrapOpenAI(client).chat.completions.create(request)).id, { name: 'answer' });
      answer().then((id) => { console.log(id); ${end} });`;
    const project = await bundled(source, format);
    const outcome = await project.run([mainOf(format)], machine.home, env());
    expect(outcome).toEqual({ code: 0, signal: null, stdout: 'chatcmpl-1\n', stderr: '' });
    expect(await opsOf()).toEqual(['answer', OP]);
  });

  test('is recorded by the hooks where the library stays outside, and says so where it does not', async () => {
    const source = `import OpenAI from 'openai'; ${ASK} client.chat.completions.create(request).then(({ id }) => console.log(id));`;
    const outside = await bundled(source, format, ['openai']);
    expect(await outside.run([...REGISTER, mainOf(format)], machine.home, env())).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await opsOf()).toEqual([OP]);
    // Minified, the library no longer says its name to its service.
    const inside = await bundled(source, format, [], false);
    const { code, stderr } = await inside.run([...REGISTER, mainOf(format)], machine.home, env());
    expect([code, stderr]).toEqual([0, expect.stringContaining('part of a bundle')]);
    expect(await opsOf()).toEqual([OP]);
  });

  test('shares one recording and one context with the hooks and with what stays outside', async () => {
    const source = `import OpenAI from 'openai'; import { traced } from 'spoor'; import { trace } from '@opentelemetry/api';
      import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'; import { SpoorSpanProcessor } from 'spoor/otel'; ${ASK}
      new NodeTracerProvider({ spanProcessors: [new SpoorSpanProcessor()] }).register();
      const answer = traced(() => trace.getTracer('x').startActiveSpan('span', async (span) => {
        await client.chat.completions.create(request);
        span.end();
      }), { name: 'answer' });
      answer();`;
    const project = await bundled(source, format, ['openai', '@opentelemetry/sdk-trace-node']);
    const outcome = await project.run([...REGISTER, mainOf(format)], machine.home, env());
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const calls = await callsOf(machine.service);
    const parents = calls.map(({ parent_id: parent }) => calls.findIndex(({ id }) => id === parent));
    expect(await opsOf()).toEqual(['answer', 'span', OP]);
    expect(parents).toEqual([-1, 0, 1]);
  });
});

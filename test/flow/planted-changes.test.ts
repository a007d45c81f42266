import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Comparison, compareTraces, type Reader } from 'spoor/reader';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHANGES, type PlantedChange, USUAL_OPTIONS, USUAL_PHOTO } from './planted/changes.ts';
import { type Shop, startShop, USUAL_SHOP } from './planted/shop.ts';
import { readerOf } from './program.ts';
import { makeHome, ROOT, runCli, runNode, type ServiceProcess, startServiceProcess } from './service-process.ts';

const PROJECT = 'local/planted';
const SOURCE = readFileSync(new URL('planted/assistant.mjs', import.meta.url), 'utf8');

/** What `import` finds behind the names in a program that lies outside the checkout. */
const PACKAGES: Readonly<Record<string, string>> = {
  spoor: 'dist/index.js',
  'spoor/openai': 'dist/openai.js',
  openai: 'node_modules/openai/index.mjs',
};

type RunOptions = Pick<PlantedChange, 'lines' | 'env' | 'shop' | 'photo'>;

describe('of two runs of a program', () => {
  let place: ReturnType<typeof makeHome>;
  let service: ServiceProcess;
  let shop: Shop;
  let reader: Reader;
  let usual: string;

  beforeAll(async () => {
    place = makeHome();
    service = await startServiceProcess(place.home);
    shop = await startShop();
    reader = readerOf(service, PROJECT);
    usual = await run({});
  });
  beforeEach(() => {
    shop.state = USUAL_SHOP;
  });
  afterAll(async () => {
    await service.stop();
    await shop.close();
    place.remove();
  });

  /** Runs the program with something changed; the id of its trace. */
  async function run({ lines, env = {}, shop: change = {}, photo = USUAL_PHOTO }: RunOptions): Promise<string> {
    shop.state = { ...USUAL_SHOP, ...change };
    const program = join(place.home, 'assistant.mjs');
    const picture = join(place.home, 'photo.jpg');
    writeFileSync(program, withPackages(edited(SOURCE, lines)));
    writeFileSync(picture, photo);
    const variables = {
      SPOOR_PROJECT: PROJECT,
      MODEL_URL: `${shop.url}/v1`,
      SHOP_URL: shop.url,
      PHOTO: picture,
      OPTIONS: JSON.stringify(USUAL_OPTIONS),
      ...env,
    };
    const before = await newestTrace();
    const { code, stderr } = await runNode([program], { home: place.home, env: variables });
    expect([code, stderr]).toEqual([0, '']);
    // What a slow machine leaves on disk at the end of the program is there a moment later.
    return await vi.waitFor(
      async () => {
        const after = await newestTrace();
        if (after === undefined || after === before) throw new Error('The run was not recorded');
        return after;
      },
      { timeout: 20_000 },
    );
  }

  async function newestTrace(): Promise<string | undefined> {
    const sorted = { sort_by: [{ field: 'started_at', direction: 'desc' as const }], limit: 1 };
    const request = { filter: { trace_roots_only: true }, ...sorted, columns: ['ended_at'] };
    for await (const { trace_id: trace, ended_at: end } of reader.calls.query(request)) {
      expect(end).not.toBeNull();
      return trace;
    }
    return undefined;
  }

  /** What the command says of both, and what the reader does. */
  async function compared(a: string, b: string): Promise<{ comparison: Comparison; lines: readonly string[] }> {
    const args = ['diff', a, b, '--project', PROJECT];
    const [json, text] = [await runCli(place.home, ...args, '--json'), await runCli(place.home, ...args)];
    expect([json.code, json.stderr, text.code]).toEqual([0, '', 0]);
    const told = JSON.parse(json.stdout) as Pick<Comparison, 'isSame' | 'origins' | 'counts' | 'times'>;
    const comparison = await compareTraces(reader, [{ trace_id: a }, { trace_id: b }]);
    const { isSame, origins, counts, times } = comparison;
    expect(told).toMatchObject({ isSame, origins, counts, times });
    return { comparison, lines: text.stdout.split('\n') };
  }

  test.each(CHANGES)('$what is named as the cause, and nothing else', async ({ kind, op, said, ...change }) => {
    const { comparison, lines } = await compared(usual, await run(change));
    // Time alone is no difference. The greatest change is told first: a machine that is busy may slow down anything a little.
    const times = kind === 'time' ? comparison.times.slice(0, 1).map((time) => ({ ...time, kind })) : [];
    const named = [...comparison.origins, ...times].map((cause) => [cause.kind, cause.op]);
    expect(named).toEqual([[kind, op]]);
    expect(comparison.isSame).toBe(kind === 'time');
    expect(lines).toContainEqual(expect.stringMatching(said));
  });

  test.each([
    ['the same again', {}],
    ['the same once more', {}],
    ['lines that are written above', { lines: ['const tone', '// A remark.\n\nconst tone'] }],
  ] as const)('nothing is the cause where only noise differs: %s', async (_what, change: RunOptions) => {
    const { comparison, lines } = await compared(usual, await run(change));
    expect(comparison).toMatchObject({ isSame: true, origins: [] });
    expect(comparison.calls.map(({ cause, a, b }) => a !== null && b !== null && cause === null)).not.toContain(false);
    expect(lines).toContain('Nothing differs but numbers.');
  });

  test('what was not recorded is neither called the same nor another one', async () => {
    const history = (last: string) => ({ OPTIONS: JSON.stringify({ history: [...'x'.repeat(1500), last] }) });
    const a = await run({ env: history('first') });
    const b = await run({ env: history('second') });
    const { comparison, lines } = await compared(a, b);
    expect(comparison).toMatchObject({ isSame: false, origins: [], counts: { cut: 1 } });
    expect(lines).toContain('Nothing differs but numbers, as far as it was recorded: values of 1 call were cut.');
    expect(await runCli(place.home, 'diff', a, b, '--project', PROJECT, '--exit-code')).toMatchObject({ code: 2 });
  });
});

function edited(source: string, lines: RunOptions['lines']): string {
  if (lines === undefined) return source;
  const [from, to] = lines;
  if (source.split(from).length !== 2) throw new Error(`The program has not one "${from}"`);
  return source.replace(from, () => to);
}

function withPackages(source: string): string {
  return source.replaceAll(/from '(spoor(?:\/openai)?|openai)'/g, (_import, name: string) => {
    return `from '${pathToFileURL(join(ROOT, PACKAGES[name] ?? '')).href}'`;
  });
}

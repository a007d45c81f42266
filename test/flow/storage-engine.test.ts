import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildOnce } from '../build.ts';
import { type Consumer, createConsumer } from '../types/consumer.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/storage-engine', import.meta.url));
const FILES = readdirSync(EXAMPLE);

/** What the example does not do; each of it is found out where it is declared, and nothing else. */
const NOT_KEPT = {
  durable: [
    'what was written is there when the storage is opened again',
    'every role has what was written, and what was deleted stays so, when the storage is opened again',
    'writes that were asked for before the storage is closed are there when it is opened again',
  ],
  snapshots: ['a read sees one moment, a later read sees what came after'],
  atomicBatches: ['of a batch a reader sees all or nothing', 'feedback of a batch that is refused is not there'],
  readYourWrites: ['every kind of write is seen by the read that comes after it'],
} as const;

const DECLARING = `
import { describe, test } from 'node:test';
import { storageConformance } from 'spoor/testing';
import type { Capabilities } from 'spoor/testing';
import { openExampleStorage } from './engine.ts';

const capabilities: Capabilities = JSON.parse(process.argv[2] ?? '{}');
const open = async () => ({ ...(await openExampleStorage()), capabilities });
storageConformance({ describe, test }, { name: 'the example', open });
`;

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let consumer: Consumer;
let folder: string;

// The package as it is installed, and the example as somebody has copied it.
beforeAll(async () => {
  await buildOnce();
  consumer = createConsumer();
  consumer.write('package.json', '{ "type": "module" }');
  for (const file of FILES) consumer.write(file, readFileSync(`${EXAMPLE}/${file}`, 'utf8'));
  consumer.write('declaring.ts', DECLARING);
  folder = consumer.install('typescript');
});

afterAll(() => consumer.remove());

async function run(...args: string[]): Promise<string> {
  const { SPOOR_HOME: _home, NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const flags = ['--import', 'tsx', '--test-reporter=tap', '--test-reporter-destination=stdout'];
  // A run with failures ends with 1; what it has said counts.
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...args], {
    cwd: folder,
    env,
    maxBuffer: 2 ** 26,
  }).catch((error: unknown) => error as { stdout: string });
  return stdout;
}

interface Outcome {
  readonly failed: string[];
  readonly skipped: Record<string, string>;
  readonly passed: number;
}

/** Contracts by their outcome, of the text of a reporter of Node. */
function outcomeOf(tap: string): Outcome {
  const lines = [...tap.matchAll(/^ {4}(ok|not ok) \d+ - (.*?)(?: # SKIP (.*))?$/gm)];
  const failed = lines.flatMap(([, state, name = '']) => (state === 'ok' ? [] : name));
  const skips = lines.filter(([, , , reason]) => reason !== undefined);
  return {
    failed,
    skipped: Object.fromEntries(skips.map(([, , name = '', reason = '']) => [name, reason])),
    passed: lines.length - failed.length - skips.length,
  };
}

test('the example is small, and of types of the package alone', async () => {
  const engine = FILES.filter((file) => !['main.ts', 'conformance.ts'].includes(file));
  const lines = engine.map((file) => readFileSync(`${EXAMPLE}/${file}`, 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(300);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    types: ['node'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  expect(await consumer.compile('typescript', { files: [...FILES, 'declaring.ts'], compilerOptions })).toEqual([]);
});

test('it keeps the contract, and what it does not declare is skipped with the reason', async () => {
  const { failed, skipped, passed } = outcomeOf(await run('conformance.ts'));
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(150);
  for (const [capability, contracts] of Object.entries(NOT_KEPT)) {
    for (const name of contracts) expect(skipped[name]).toMatch(new RegExp(`"(?:${capability}|retention)"$`));
  }
});

test.each(['snapshots', 'atomicBatches', 'readYourWrites'] as const)(
  'it fails exactly there where it declares %s',
  async (capability) => {
    const { failed } = outcomeOf(await run('declaring.ts', JSON.stringify({ [capability]: true })));
    expect(failed.toSorted()).toEqual([...NOT_KEPT[capability]].toSorted());
  },
);

test('it fails everywhere where it declares everything', async () => {
  const all = Object.fromEntries(Object.keys(NOT_KEPT).map((capability) => [capability, true]));
  const { failed } = outcomeOf(await run('declaring.ts', JSON.stringify(all)));
  expect(failed.toSorted()).toEqual(Object.values(NOT_KEPT).flat().toSorted());
});

test('a service runs on it', async () => {
  expect(await run('main.ts')).toMatch(/"Hello engine"$/m);
});
